-- Atomic arbitrage: the pool trades of one transaction go round, through two pools or more, and leave something over. Grain: one leg of a find.
-- Parameters: chain, from, to, generation. Sort keys: swap_legs and transactions (chain, block_number, …).
-- Over all of the transaction's trades (wrapped coin counts as coin) a token comes out ahead, and none behind by more than 1% of what of
-- it went in or out. grade: high where no token is behind (to a millionth), medium where one is, low where a trade's tokens are not known.
-- Amounts from 2^200 on are left out: a token may tell any amount, and a sum must not wrap.
INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, rule_version, grade, searcher, role, own, position, sub, block_hash, block_time, tx_index, tx_hash, protocol, pool,
  account, token_in, token_in_known, amount_in, token_out, token_out_known, amount_out, loss, loss_reason, generation)
SELECT {chain:String}, block_number, SHA256(concat('arbitrage|', {chain:String}, '|', lower(hex(hash)), '|', toString(trades[1].1))), 'arbitrage', 'arbitrage_cycle', 1,
  multiIf(unnamed > 0, 'low', arrayExists((n, v) -> n * -1000000 > v, nets, moved), 'medium', 'high'),
  if(dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(contract))))) IN ('unknown', 'mev'), contract, account),
  'swap', true, trade.1, 0, hash, time, tx_index, tx, trade.2, trade.3, account, trade.4, true, trade.5, trade.6, true, trade.7, NULL, '', {generation:UInt32}
FROM (
  SELECT *, arrayMap(k -> arraySum(f -> if(f.1 = k, f.2, 0), flows), tokens) AS nets, arrayMap(k -> arraySum(f -> if(f.1 = k, abs(f.2), 0), flows), tokens) AS moved
  FROM (
    SELECT block_number, tx_index, any(block_hash) AS hash, any(block_time) AS time, any(tx_hash) AS tx, countIf(NOT named) AS unnamed,
      arraySort(t -> t.1, groupArrayIf((log_index, protocol, pool, token_sold, amount_sold, token_bought, amount_bought, money_sold, money_bought), named)) AS trades,
      arrayConcat(arrayMap(t -> (t.8, -toInt256(t.5)), trades), arrayMap(t -> (t.9, toInt256(t.7)), trades)) AS flows, arrayDistinct(arrayMap(f -> f.1, flows)) AS tokens
    FROM (
      SELECT *, toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20) AS wrapped, toFixedString('', 20) AS coin, if(token_sold = wrapped, coin, token_sold) AS money_sold,
        if(token_bought = wrapped, coin, token_bought) AS money_bought, token_sold_known AND token_bought_known AS named
      FROM swap_legs
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT aggregator AND greatest(amount_sold, amount_bought) < bitShiftLeft(toUInt256(1), 200)
    )
    GROUP BY block_number, tx_index
    HAVING uniqExactIf(pool, named) >= 2 AND hasAll(groupUniqArrayIf(money_sold, named), groupUniqArrayIf(money_bought, named)) AND hasAll(groupUniqArrayIf(money_bought, named), groupUniqArrayIf(money_sold, named))
  )
  WHERE arrayExists(n -> n > 0, nets) AND arrayAll((n, v) -> n * -200 <= v, nets, moved)
) AS found
INNER JOIN (
  SELECT block_number, tx_index, from_address AS account, to_address AS contract FROM transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS sent USING (block_number, tx_index)
ARRAY JOIN trades AS trade
ORDER BY block_number, trades[1].1, trade.1
