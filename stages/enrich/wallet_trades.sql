-- What accounts bought and sold in transactions with swaps, by what they hold more or less of after all its movements; pools, vaults and the
-- tokens themselves are no traders. Grain: one token of one account in one transaction. Parameters: chain, from, to, floor, generation.
-- Sort keys: swaps, transfers, transactions and blocks (chain, block_number, …), prices (chain, token, block_number).
-- Money (the coin, its wrapped token, stablecoins) values what was traded for it; else the side whose prices are known does, what came before
-- what went. A single token is worth what the money beside it leaves; of several each has its own price. Where inner movements are unknown
-- (no traces) and a sender has no coin to show, the swaps that ended in the coin tell how much came beside what is seen, unless they took more
-- than the sender gave. A fiftieth of the coin that passed the pools, or less, is a fee of the route where something else came.
-- Pools and what they gave of a token are looked up, and an account's own list is worked through before there is a row for each of its tokens:
-- lists of all of a transaction beside each account or token of it would grow with the square of what anybody can put into one.
INSERT INTO wallet_trades (chain, account, block_number, position, token, block_hash, block_time, tx_index, tx_hash, side, role, basis, amount, pool_amount, usd, gas_wei, gas_usd, generation)
WITH
  traded AS (
    SELECT block_number, tx_index, block_hash AS hash, block_time AS time, tx_hash AS tx, trader, log_index, toFixedString(substring(pool, 13), 20) AS venue, sender, aggregator, token_bought, token_sold,
      toInt256(amount_bought) AS gained, toInt256(amount_sold) AS lost, ifNull(value_usd, 0) AS usd,
      NOT aggregator AND token_bought_known AND token_sold_known AND greatest(amount_sold, amount_bought) < bitShiftLeft(toUInt256(1), 200) AS pooled,
      token_bought IN (toFixedString('', 20), unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2')) AS into_coin, token_sold IN (toFixedString('', 20), unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2')) AS from_coin
    FROM swaps WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  ),
  legs AS (
    SELECT block_number AS leg_block, tx_index AS leg_tx, any(hash) AS block_hash, any(time) AS block_time, any(tx) AS tx_hash, any(trader) AS trader, min(log_index) AS first_leg, groupUniqArrayIf(sender, aggregator) AS owners,
      arraySum(arraySort(groupArrayIf(usd * (into_coin - from_coin), pooled))) AS coins_usd, sumIf(gained, pooled AND into_coin) AS coins_in, coins_in - sumIf(lost, pooled AND from_coin) AS coins_left
    FROM traded
    GROUP BY leg_block, leg_tx
  ),
  -- What the pools gave of a token, less what they took.
  passed AS (
    SELECT block_number AS passed_block, tx_index AS passed_tx, side.1 AS passed_token, sum(side.2) AS swapped, true AS pooled_too
    FROM traded ARRAY JOIN [(token_bought, gained), (token_sold, -lost)] AS side
    WHERE pooled
    GROUP BY passed_block, passed_tx, passed_token
  ),
  accounts AS (
    SELECT block_number, tx_index, account,
      arraySort(groupArray((asset, abs(net), if(unit < 0, -1, toFloat64(abs(net)) * unit), net > 0,
        asset = toFixedString('', 20) OR dictGet('token_of', 'stable', ({chain:String}, concat('0x', lower(hex(asset))))),
        swapped, pooled_too))) AS sides
    FROM (
      SELECT block_number, tx_index, side.1 AS account, if(token = unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), toFixedString('', 20), token) AS asset,
        sum(side.2) AS net, max(ifNull(value_usd / toFloat64(amount), -1)) AS unit
      FROM transfers
      ARRAY JOIN [(to_address, toInt256(amount)), (from_address, -toInt256(amount))] AS side
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND kind IN ('native', 'internal', 'erc20', 'wrap', 'unwrap')
        AND amount > 0 AND amount < bitShiftLeft(toUInt256(1), 200)
        AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM swaps WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32})
      GROUP BY block_number, tx_index, account, asset
      HAVING net != 0
    ) AS held
    LEFT JOIN passed ON passed_block = block_number AND passed_tx = tx_index AND passed_token = asset
    GROUP BY block_number, tx_index, account
    HAVING NOT arrayAll(s -> s.5, sides)
  ),
  split AS (
    SELECT *, account = trader AS sent, arrayFilter(s -> NOT s.5, sides) AS tokens, arrayFilter(s -> s.4, sides) AS ins, arrayFilter(s -> NOT s.4, sides) AS outs
    FROM accounts
    INNER JOIN legs ON leg_block = block_number AND leg_tx = tx_index
    WHERE account NOT IN (toFixedString('', 20), unhex('000000000004444c5dc75cb358380d2e3de08a90'), unhex('ba12222222228d8ba445958a75a0704d566bf2c8'),
      unhex('ba1333333333a1ba1108e8412f11850a5c319ba9'), unhex('9008d19f58aabd9ed0d60971565aa8510560ab41'), unhex('def1c0ded9bec7f1a1670819833240f027b25eff'))
      AND (block_number, tx_index, account) NOT IN (SELECT block_number, tx_index, arrayJoin(if(pooled, [venue, token_bought, token_sold], [venue])) FROM traded)
  ),
  summed AS (
    SELECT *, arrayMin(ins.3) AS least_in, arrayMin(outs.3) AS least_out, arrayMin(ins.5) AS money_in, arrayMin(outs.5) AS money_out, if(unseen, coins_usd, 0) AS unseen_usd, arraySum(ins.3) + unseen_usd AS in_usd, arraySum(outs.3) AS out_usd,
      arrayCount(s -> s.4, tokens) AS mates_in, arrayCount(s -> NOT s.4, tokens) AS mates_out, arrayFilter(s -> s.5, ins).3 AS beside_in, arrayFilter(s -> s.5, outs).3 AS beside_out
    FROM (
      SELECT *, empty(ins) AS only_gave, sent AND coins_usd > 0 AND (only_gave OR (coins_left * 50 > coins_in AND NOT has(ins.1, toFixedString('', 20)))) AND arrayExists(s -> s.7, outs)
        AND block_number IN (SELECT block_number FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT internal_complete) AS unseen
      FROM split
    )
    WHERE notEmpty(outs) AND (NOT only_gave OR unseen)
  ),
  rows AS (
    SELECT block_number, tx_index, account, first_leg, block_hash, block_time, tx_hash, sent, owners, unseen, unseen_usd, s.1 AS token, s.2 AS amount, s.3 AS own, s.4 AS got, s.6 AS swapped, i, materialize(toFixedString('', 20)) AS coin,
      multiIf(only_gave, coins_usd, least_in >= 0 AND money_in, in_usd, least_out >= 0 AND money_out, out_usd, least_in >= 0, in_usd, least_out >= 0, out_usd, -1) AS worth,
      if(got, mates_in, mates_out) AS mates, if(got, beside_in, beside_out) AS beside
    FROM summed ARRAY JOIN tokens AS s, arrayEnumerate(tokens) AS i
  ),
  worked_out AS (
    SELECT *, worth - arraySum(beside) - if(got, unseen_usd, 0) AS rest, mates = 1 AND worth >= 0 AND (empty(beside) OR arrayMin(beside) >= 0) AS single, if(got, swapped, -swapped) AS swapped_in FROM rows
  )
SELECT {chain:String}, r.account, r.block_number, r.first_leg, r.token, r.block_hash, r.block_time, r.tx_index, r.tx_hash, if(r.got, 'buy', 'sell'),
  multiIf(r.sent, 'sender', has(r.owners, r.account), 'owner', 'party'), if(r.unseen, 'legs', 'netted'), r.amount, if(r.sent AND r.swapped_in > 0, toUInt256(r.swapped_in), 0),
  multiIf(r.single AND r.rest >= 0 AND (NOT r.unseen OR r.got OR r.swapped_in <= r.amount), toNullable(r.rest), r.own >= 0, r.own, NULL),
  if(r.sent AND r.i = 1, t.fee, 0), if(r.sent AND r.i = 1 AND p.usd > 0 AND p.block_time >= r.block_time - INTERVAL 3600 SECOND, toFloat64(t.fee) / 1e18 * p.usd, NULL), {generation:UInt32}
FROM worked_out AS r
LEFT JOIN (
  SELECT block_number, tx_index, gas_used * gas_price + ifNull(blob_gas_used * blob_gas_price, 0) AS fee FROM transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS t ON t.block_number = r.block_number AND t.tx_index = r.tx_index
ASOF LEFT JOIN (
  SELECT token, block_number, block_time, usd FROM prices
  WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32})
) AS p ON p.token = r.coin AND p.block_number <= r.block_number
ORDER BY r.block_number, r.tx_index, r.account, r.token
