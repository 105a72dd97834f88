-- Atomic arbitrage: the pool trades of one transaction go round, through two pools or more, and leave something over. Grain: one leg of a find.
-- Parameters: chain, from, to, generation. Sort keys: swap_legs and transactions (chain, block_number, …).
-- Over all of the transaction's trades (wrapped coin counts as coin) a token comes out ahead, and none behind by more than 1% of what of
-- it went in or out. grade: high where no token is behind (to a millionth), medium where one is, low where a trade's tokens are not known.
-- Amounts from 2^200 on are left out: a token may tell any amount, and a sum must not wrap.
-- A transaction that creates a contract calls that one. Version 2: version 1 took address zero for it.
INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, rule_version, grade, searcher, role, own, position, sub, block_hash, block_time, tx_index, tx_hash, protocol, pool,
  account, token_in, token_in_known, amount_in, token_out, token_out_known, amount_out, loss, loss_reason, generation)
WITH
  legs AS (
    SELECT block_number, tx_index, log_index, block_hash, block_time, tx_hash, protocol, pool, token_sold, amount_sold, token_bought, amount_bought, token_sold_known AND token_bought_known AS named,
      toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20) AS wrapped, toFixedString('', 20) AS coin, if(token_sold = wrapped, coin, token_sold) AS money_sold, if(token_bought = wrapped, coin, token_bought) AS money_bought
    FROM swap_legs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT aggregator AND greatest(amount_sold, amount_bought) < bitShiftLeft(toUInt256(1), 200)
  ),
  -- By rows, never by lists of all of a transaction's trades: beside each of its tokens or legs they would grow with the square of what anybody can put into one.
  flows AS (
    SELECT block_number, tx_index, flow.1 AS token, sum(flow.2) AS net, sum(abs(flow.2)) AS moved, uniqExact(flow.3) = 2 AS both_ways
    FROM legs ARRAY JOIN [(money_sold, -toInt256(amount_sold), false), (money_bought, toInt256(amount_bought), true)] AS flow
    WHERE named
    GROUP BY block_number, tx_index, token
  ),
  cycles AS (
    SELECT block_number, tx_index, max(net * -1000000 > moved) AS behind FROM flows
    GROUP BY block_number, tx_index
    HAVING min(both_ways) AND max(net) > 0 AND min(net * -200 <= moved)
  ),
  found AS (
    SELECT block_number, tx_index, countIf(NOT named) AS unnamed, minIf(log_index, named) AS first FROM legs
    GROUP BY block_number, tx_index
    HAVING uniqExactIf(pool, named) >= 2
  ),
  sent AS (
    SELECT block_number, tx_index, from_address AS account, if(creates_contract, contract_address, to_address) AS contract FROM transactions
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  )
SELECT {chain:String}, block_number, SHA256(concat('arbitrage|', {chain:String}, '|', lower(hex(block_hash)), '|', toString(first))), 'arbitrage', 'arbitrage_cycle', 2,
  multiIf(unnamed > 0, 'low', behind, 'medium', 'high'),
  if(dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(contract))))) IN ('unknown', 'mev_bot'), contract, account),
  'swap', true, log_index, 0, block_hash, block_time, tx_index, tx_hash, protocol, pool, account, token_sold, true, amount_sold, token_bought, true, amount_bought, NULL, '', {generation:UInt32}
FROM legs
INNER JOIN found USING (block_number, tx_index)
INNER JOIN cycles USING (block_number, tx_index)
INNER JOIN sent USING (block_number, tx_index)
WHERE named
ORDER BY block_number, first, log_index
