-- Finds with what they brought and cost. Grain: one find. Parameters: chain, from, to, floor, generation.
-- Sort keys: mev_legs, transactions, movements and blocks (chain, block_number, …), prices (chain, token, block_number).
-- A net is material from a millionth of what went in and out of its token on. A token other than the coin that came out ahead, and of which
-- nothing stayed with the searcher or the account, is no profit (its transfers are taxed) as long as another one came out ahead.
-- Where tokens of its own trades are not known, neither is what it brought: nets are of the known ones (an arbitrage has such trades where its grade is low; they are no legs).
-- What victims lost is of those whose loss is known whole: of a transaction that is a victim in several pools, in each.
-- A sum of dollars is taken in the order of tokens: it is the same in every run. A transaction's gas, that of its blobs with it, and payment are counted once, with the first find it is in. The price is the newest at or below the block and within the hour.
INSERT INTO mev (chain, block_number, mev_id, kind, rule, rule_version, grade, searcher, account, position, block_hash, block_time, tx_hash, tx_hashes, pools, protocols, legs, victims,
  losses_known, victim_loss_usd, nets, profit_token, profit_amount, gross_usd, gas_cost, builder_payment, coin_usd, gas_usd, builder_usd, net_usd, internal_complete, generation)
WITH
  toFixedString('', 20) AS coin, toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20) AS wrapped,
  greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AS lowest,
  heads AS (
    SELECT block_number, mev_id, any(l.kind) AS kind, any(l.rule) AS rule, any(l.rule_version) AS version, any(l.grade) AS grade, any(l.searcher) AS searcher,
      argMin(l.account, (NOT l.own, l.position)) AS account, min(l.position) AS first, any(l.block_hash) AS hash, any(l.block_time) AS time,
      arrayMap(t -> t.2, arraySort(groupUniqArray((l.tx_index, l.tx_hash)))) AS txs, arraySort(groupUniqArray(l.pool)) AS pools, arraySort(groupUniqArray(l.protocol)) AS protocols,
      countIf(l.own AND ((NOT l.token_in_known AND l.amount_in > 0) OR (NOT l.token_out_known AND l.amount_out > 0)) OR l.kind = 'arbitrage' AND l.grade = 'low') AS unnamed,
      uniqExact((l.position, l.sub)) AS legs, uniqExactIf(l.tx_index, l.role = 'victim') AS victims,
      victims - uniqExactIf(l.tx_index, l.role = 'victim' AND l.loss IS NULL) AS losses_known
    FROM mev_legs AS l WHERE l.chain = {chain:String} AND l.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND l.generation = {generation:UInt32}
    GROUP BY block_number, mev_id
  ),
  own AS (
    SELECT l.block_number AS own_block, l.tx_index AS own_index, argMin(l.mev_id, (l.position, l.mev_id)) AS find, groupUniqArrayArray([l.searcher, l.account]) AS accounts
    FROM mev_legs AS l
    WHERE l.chain = {chain:String} AND l.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND l.generation = {generation:UInt32} AND l.own
    GROUP BY own_block, own_index
  ),
  spent AS (
    SELECT find AS spender, sum(gas) AS gas FROM own
    INNER JOIN (SELECT block_number AS sent_block, tx_index AS sent_index, toUInt256(gas_used) * gas_price + ifNull(blob_gas_used * blob_gas_price, 0) AS gas FROM transactions WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS sent
      ON sent_block = own_block AND sent_index = own_index
    GROUP BY spender
  ),
  -- Per find and token what stayed with its accounts and what went to the block's fee recipient; a list of all that moved, beside each token of a find, would grow with the square of what anybody can put into a transaction.
  held AS (
    SELECT find AS holder, token AS held_token, sum(if(has(accounts, to_address), toInt256(amount), toInt256(0)) - if(has(accounts, from_address), toInt256(amount), toInt256(0))) AS stayed,
      sumIf(amount, token = coin AND to_address = miner AND from_address != miner) AS tip, true AS seen
    FROM own
    INNER JOIN (SELECT block_number AS mined_block, miner FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS mined ON mined_block = own_block
    INNER JOIN (
      SELECT block_number AS moved_block, tx_index AS moved_index, token, from_address, to_address, amount FROM movements
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND kind IN ('native', 'internal', 'erc20') AND amount < bitShiftLeft(toUInt256(1), 200)
        AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM mev_legs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND own)
    ) AS moved ON moved_block = own_block AND moved_index = own_index
    GROUP BY holder, held_token
  ),
  flows AS (
    SELECT block_number, any(block_time) AS time, mev_id, if(side.1 = wrapped, coin, side.1) AS token, sum(side.2) AS net, sum(abs(side.2)) AS turnover, sum(side.3) AS lost
    FROM mev_legs
    ARRAY JOIN arrayConcat([(coin, toInt256(0), toUInt256(0))], multiIf(own, arrayFilter(s -> s.1 != coin OR s.2 != 0, [(token_in, if(token_in_known, -toInt256(amount_in), toInt256(0)), toUInt256(0)), (token_out, if(token_out_known, toInt256(amount_out), toInt256(0)), toUInt256(0))]),
      loss > 0 AND (mev_id, tx_index) NOT IN (SELECT u.mev_id, u.tx_index FROM mev_legs AS u WHERE u.chain = {chain:String} AND u.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND u.generation = {generation:UInt32} AND u.role = 'victim' AND u.loss IS NULL), [(token_out, toInt256(0), assumeNotNull(loss))], [])) AS side
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
    GROUP BY block_number, mev_id, token
  ),
  valued AS (
    SELECT mev_id AS find, anyIf(price, token = coin) AS coin_usd, countIf(lost > 0 AND unit_usd IS NULL) = 0 AS loss_priced, sumIf(tip, token = coin) AS payment,
      arraySort(groupArray((token, net, net != 0 AND abs(net) * 1000000 > turnover, toFloat64(net) * unit_usd, toFloat64(lost) * unit_usd, token != coin AND seen AND stayed <= 0))) AS sums
    FROM (
      SELECT f.*, if(p.usd > 0 AND p.block_time >= f.time - INTERVAL 3600 SECOND, p.usd, NULL) AS price,
        price / pow(10, dictGet('token_of', 'decimals', ({chain:String}, concat('0x', lower(hex(f.token)))))) AS unit_usd
      FROM flows AS f
      ASOF LEFT JOIN (
        SELECT token, block_number, block_time, usd FROM prices
        WHERE chain = {chain:String} AND block_number BETWEEN lowest AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32}) AND token IN (
          SELECT arrayJoin([coin, token_in, token_out]) FROM mev_legs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32})
      ) AS p ON p.token = f.token AND p.block_number <= f.block_number
    ) AS priced
    LEFT JOIN held ON holder = mev_id AND held_token = token
    GROUP BY find
  )
SELECT {chain:String}, block_number, mev_id, kind, rule, version, grade, searcher, account, first, hash, time, txs[1], txs, pools, protocols, legs, victims,
  losses_known, if(losses_known > 0 AND loss_priced, arraySum(s -> ifNull(s.5, 0), sums), NULL),
  arrayMap(s -> (s.1, s.2), arrayFilter(s -> s.2 != 0, kept)) AS nets, if(unnamed = 0 AND length(material) = 1, material[1].1, NULL), if(unnamed = 0 AND length(material) = 1, material[1].2, NULL),
  if(unnamed = 0 AND notEmpty(material) AND NOT arrayExists(s -> isNull(s.4), material), arraySum(s -> ifNull(s.4, 0), kept), NULL) AS gross_usd,
  gas, if(complete, payment, NULL) AS builder_payment, coin_usd, toFloat64(gas) / 1e18 * coin_usd AS gas_usd, toFloat64(builder_payment) / 1e18 * coin_usd AS builder_usd,
  gross_usd - gas_usd - builder_usd, complete, {generation:UInt32}
FROM (
  SELECT *, arrayFilter(s -> s.3, kept) AS material FROM (
    SELECT *, if(arrayExists(s -> s.2 > 0, untaxed), untaxed, sums) AS kept FROM (
      SELECT *, arrayFilter(s -> NOT (s.2 > 0 AND s.6), sums) AS untaxed
      FROM (
        SELECT * FROM heads
        INNER JOIN valued ON valued.find = mev_id
        INNER JOIN (SELECT block_number AS seen_block, internal_complete AS complete FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS seen ON seen_block = block_number
        LEFT JOIN spent ON spender = mev_id
      )
    )
  )
)
ORDER BY block_number, mev_id
