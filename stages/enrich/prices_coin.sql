-- The coin (and its wrapped token) in dollars from the market, where no oracle answered within the hour: the mean over the last
-- minute, weighted by volume, of its trades against dollar stablecoins in trusted pools whose reserve of them (of concentrated liquidity the virtual one) is $50,000 or more, at what its oracle says where a stablecoin has left its peg.
-- Grain: one of the two tokens at one block with such a trade. Parameters: chain, from, to, floor, generation.
-- A trade counts from $1 to 10^15 (sums must not wrap), and only within a factor of 3 of the median over blocks of the hour before. Sums are exact integers
-- (billionths of a dollar), so the order of rows changes nothing. Sort keys: swap_legs (chain, block_number, …), prices (chain, token, block_number).
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
WITH
  toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20) AS wrapped,
  toFixedString('', 20) AS coin,
  greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AS lowest,
  (SELECT min(block_time) FROM blocks WHERE chain = {chain:String} AND block_number = {from:UInt64} AND generation = {generation:UInt32}) AS starts,
  (SELECT groupArray((block_number, toInt64(toUnixTimestamp(block_time)))) FROM prices
    WHERE chain = {chain:String} AND token = coin AND block_number BETWEEN lowest AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32}) AND method = 'chainlink') AS answers,
  trades AS (
    SELECT t.block_number AS block_number, t.block_hash AS block_hash, t.block_time AS block_time, t.token_amount AS amount,
      pow(10, assumeNotNull(dictGet('token_of', 'decimals', ({chain:String}, concat('0x', lower(hex(t.quote))))))) AS unit, if(o.usd > 0, o.usd, 1) AS quote_usd,
      toFloat64(t.quote_amount) / unit * quote_usd AS usd, toFloat64(t.quote_depth) / unit * quote_usd AS depth
    FROM trusted_trades AS t
    LEFT JOIN (
      SELECT token, block_number, usd FROM prices
      WHERE chain = {chain:String} AND token IN (unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'), unhex('6b175474e89094c44da98b954eedeac495271d0f')) AND block_number BETWEEN lowest AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32}) AND method = 'chainlink'
    ) AS o ON o.token = t.quote AND o.block_number = t.block_number
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN lowest AND {to:UInt64} AND (t.block_number < {from:UInt64} OR t.generation = {generation:UInt32}) AND t.block_time > starts - INTERVAL 3660 SECOND
      AND t.token IN (coin, wrapped) AND t.quote IN (SELECT address FROM tokens FINAL WHERE chain = {chain:String} AND stable AND decimals IS NOT NULL)
      AND usd >= 1 AND usd <= 1e15 AND depth >= 50000
  ),
  by_block AS (
    SELECT block_number, any(block_hash) AS hash, any(block_time) AS time, toInt64(toUnixTimestamp(time)) AS second,
      groupArray((amount, toInt256(round(usd * 1e9)), toFloat64(amount) / 1e18, depth)) AS swaps,
      toFloat64(sum(toInt256(round(usd * 1e9)))) / 1e9 / (toFloat64(sum(amount)) / 1e18) AS mean
    FROM trades GROUP BY block_number
  ),
  judged AS (
    SELECT block_number, hash, time, second,
      quantileExactLow(0.5)(mean) OVER (ORDER BY second RANGE BETWEEN 3600 PRECEDING AND 1 PRECEDING) AS usual,
      arrayFilter(s -> NOT usual > 0 OR (s.2 / 1e9 / s.3 BETWEEN usual / 3 AND usual * 3), swaps) AS kept
    FROM by_block
  ),
  summed AS (
    SELECT block_number, hash, time, length(kept) AS seen,
      sum(length(kept)) OVER minute AS trade_count, sum(arraySum(s -> s.2, kept)) OVER minute AS nanodollars,
      sum(arraySum(s -> toInt256(s.1), kept)) OVER minute AS wei, max(arrayMax(s -> s.4, kept)) OVER minute AS depth_usd, second
    FROM judged WHERE notEmpty(kept)
    WINDOW minute AS (ORDER BY second RANGE BETWEEN 59 PRECEDING AND CURRENT ROW)
  )
SELECT {chain:String}, arrayJoin([coin, wrapped]) AS token, block_number, time, hash, toFloat64(nanodollars) / 1e9 / (toFloat64(wei) / 1e18), 'vwap',
  toUInt32(trade_count), depth_usd, {generation:UInt32}
FROM summed
WHERE block_number >= {from:UInt64} AND NOT arrayExists(a -> a.1 <= block_number AND a.2 >= second - 3600, answers)
ORDER BY token, block_number
