-- Every other token in dollars from the market: the mean over the last minute, weighted by volume, of its trades against the coin or
-- a dollar stablecoin in trusted pools whose reserve of that side is 20 coins or $50,000 or more: of concentrated liquidity the virtual one, which a narrow range has for little.
-- A stablecoin counts as its price of that very block: one dollar, or what its oracle says.
-- Grain: one token at one block with such a trade. Parameters: chain, from, to, floor, generation.
-- A trade counts from $1 to 10^15 (sums must not wrap), and only within a factor of 3 of the token's median over blocks of the hour before. Sums are exact integers
-- (billionths of a dollar), so the order of rows changes nothing. Sort keys: swap_legs (chain, block_number, …), prices (chain, token, block_number).
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
WITH
  toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20) AS wrapped,
  toFixedString('', 20) AS coin,
  greatest({floor:UInt64}, if({from:UInt64} > 7200, {from:UInt64} - 7200, 0)) AS lowest_price,
  greatest({floor:UInt64}, if({from:UInt64} > 3660, {from:UInt64} - 3660, 0)) AS lowest,
  (SELECT min(block_time) FROM blocks WHERE chain = {chain:String} AND block_number = {from:UInt64} AND generation = {generation:UInt32}) AS starts,
  stables AS (SELECT address FROM tokens FINAL WHERE chain = {chain:String} AND stable AND decimals IS NOT NULL),
  recent AS (
    SELECT t.token AS token, t.block_number AS block_number, t.block_hash AS block_hash, t.block_time AS block_time, t.token_amount AS amount, t.quote AS quote,
      t.quote_amount AS quote_amount, t.quote_depth AS quote_depth, quote IN (coin, wrapped) AS in_coin, if(in_coin, coin, t.quote) AS priced_as
    FROM trusted_trades AS t
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN lowest AND {to:UInt64} AND (t.block_number < {from:UInt64} OR t.generation = {generation:UInt32}) AND t.block_time > starts - INTERVAL 3660 SECOND
      AND ((t.quote IN (coin, wrapped) AND t.quote_depth >= 20000000000000000000) OR t.quote IN stables)
      AND t.token NOT IN (coin, wrapped) AND t.token NOT IN stables
  ),
  valued AS (
    SELECT r.token AS token, r.block_number AS block_number, r.block_hash AS block_hash, r.block_time AS block_time, r.amount AS amount,
      dictGet('token_of', 'decimals', ({chain:String}, concat('0x', lower(hex(r.token))))) AS decimals,
      if(r.in_coin, 1e18, pow(10, ifNull(dictGet('token_of', 'decimals', ({chain:String}, concat('0x', lower(hex(r.quote))))), 0))) AS unit,
      multiIf(r.in_coin, if(p.block_time >= r.block_time - INTERVAL 3600 SECOND, p.usd, 0), p.block_number = r.block_number, p.usd, 1) AS quote_usd,
      toFloat64(r.quote_amount) / unit * quote_usd AS usd, toFloat64(r.quote_depth) / unit * quote_usd AS depth
    FROM recent AS r
    ASOF LEFT JOIN (
      SELECT token, block_number, block_time, usd FROM prices
      WHERE chain = {chain:String} AND token IN (coin, unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'), unhex('6b175474e89094c44da98b954eedeac495271d0f')) AND block_number BETWEEN lowest_price AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32})
    ) AS p ON p.token = r.priced_as AND p.block_number <= r.block_number
    WHERE decimals IS NOT NULL AND usd >= 1 AND usd <= 1e15 AND (r.in_coin OR depth >= 50000)
  ),
  by_block AS (
    SELECT token, block_number, any(block_hash) AS hash, any(block_time) AS time, toInt64(toUnixTimestamp(time)) AS second, pow(10, assumeNotNull(any(decimals))) AS unit,
      groupArray((amount, toInt256(round(usd * 1e9)), toFloat64(amount) / pow(10, assumeNotNull(decimals)), depth)) AS swaps,
      toFloat64(sum(toInt256(round(usd * 1e9)))) / 1e9 / (toFloat64(sum(amount)) / unit) AS mean
    FROM valued GROUP BY token, block_number
  ),
  judged AS (
    SELECT token, block_number, hash, time, second, unit,
      quantileExactLow(0.5)(mean) OVER (PARTITION BY token ORDER BY second RANGE BETWEEN 3600 PRECEDING AND 1 PRECEDING) AS usual,
      arrayFilter(s -> NOT usual > 0 OR (s.2 / 1e9 / s.3 BETWEEN usual / 3 AND usual * 3), swaps) AS kept
    FROM by_block
  ),
  summed AS (
    SELECT token, block_number, hash, time, unit,
      sum(length(kept)) OVER minute AS trade_count, sum(arraySum(s -> s.2, kept)) OVER minute AS nanodollars,
      sum(arraySum(s -> toInt256(s.1), kept)) OVER minute AS raw, max(arrayMax(s -> s.4, kept)) OVER minute AS depth_usd
    FROM judged WHERE notEmpty(kept)
    WINDOW minute AS (PARTITION BY token ORDER BY second RANGE BETWEEN 59 PRECEDING AND CURRENT ROW)
  )
SELECT {chain:String}, token, block_number, time, hash, toFloat64(nanodollars) / 1e9 / (toFloat64(raw) / unit), 'vwap', toUInt32(trade_count), depth_usd, {generation:UInt32}
FROM summed
WHERE block_number >= {from:UInt64}
  AND (token, block_number) NOT IN (
    SELECT token, block_number FROM prices
    WHERE chain = {chain:String} AND token IN (unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599'), unhex('ae7ab96520de3a18e5e111b5eaab095312d7fe84')) AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND method = 'chainlink'
  )
ORDER BY token, block_number
