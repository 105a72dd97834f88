-- Tokens that trade against neither the coin nor a stablecoin, in dollars: through a token that the market or an oracle priced at the
-- very same block, by trades in trusted pools whose reserve (as in prices_tokens.sql) of that token is worth $50,000 or more.
-- Grain: one token at one block with such a trade and no better price. Parameters: chain, from, to, floor, generation.
-- A trade counts from $1 to 10^15 (sums must not wrap), and only within a factor of 3 of the median over blocks of the hour before. Sums are exact integers
-- (billionths of a dollar). Sort keys: swap_legs (chain, block_number, …), prices (chain, token, block_number).
INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
WITH
  greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AS lowest,
  (SELECT min(block_time) FROM blocks WHERE chain = {chain:String} AND block_number = {from:UInt64} AND generation = {generation:UInt32}) AS starts,
  -- What is traded in the batch; through which tokens it was traded in the hour before says nothing of those: a median must not hang on where a batch begins.
  (SELECT groupUniqArray(token) FROM trusted_trades WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS traded,
  known AS (
    SELECT token, block_number, usd FROM prices
    WHERE chain = {chain:String} AND block_number BETWEEN lowest AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32}) AND block_time >= starts - INTERVAL 3600 SECOND AND method IN ('chainlink', 'vwap')
      AND token NOT IN (toFixedString('', 20), toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20), unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'), unhex('6b175474e89094c44da98b954eedeac495271d0f'))
  ),
  valued AS (
    SELECT t.token AS token, t.block_number AS block_number, t.block_hash AS block_hash, t.block_time AS block_time, t.token_amount AS amount,
      dictGet('token_of', ('decimals', 'stable'), ({chain:String}, concat('0x', lower(hex(t.token))))) AS own,
      pow(10, ifNull(dictGet('token_of', 'decimals', ({chain:String}, concat('0x', lower(hex(t.quote))))), 0)) AS unit,
      toFloat64(t.quote_amount) / unit * k.usd AS usd, toFloat64(t.quote_depth) / unit * k.usd AS depth
    FROM trusted_trades AS t
    INNER JOIN known AS k ON k.token = t.quote AND k.block_number = t.block_number
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN lowest AND {to:UInt64} AND (t.block_number < {from:UInt64} OR t.generation = {generation:UInt32}) AND t.block_time >= starts - INTERVAL 3600 SECOND
      AND t.token IN traded
      AND t.token NOT IN (toFixedString('', 20), toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20))
      AND own.1 IS NOT NULL AND own.2 = 0 AND usd >= 1 AND usd <= 1e15 AND depth >= 50000
  ),
  by_block AS (
    SELECT token, block_number, any(block_hash) AS hash, any(block_time) AS time, toInt64(toUnixTimestamp(time)) AS second, pow(10, assumeNotNull(any(own.1))) AS unit,
      groupArray((amount, toInt256(round(usd * 1e9)), toFloat64(amount) / pow(10, assumeNotNull(own.1)), depth)) AS swaps,
      toFloat64(sum(toInt256(round(usd * 1e9)))) / 1e9 / (toFloat64(sum(amount)) / unit) AS mean
    FROM valued GROUP BY token, block_number
  ),
  judged AS (
    SELECT token, block_number, hash, time, unit,
      quantileExactLow(0.5)(mean) OVER (PARTITION BY token ORDER BY second RANGE BETWEEN 3600 PRECEDING AND 1 PRECEDING) AS usual,
      arrayFilter(s -> NOT usual > 0 OR (s.2 / 1e9 / s.3 BETWEEN usual / 3 AND usual * 3), swaps) AS kept
    FROM by_block
  )
SELECT {chain:String}, token, block_number, time, hash, toFloat64(arraySum(s -> s.2, kept)) / 1e9 / (toFloat64(arraySum(s -> toInt256(s.1), kept)) / unit), 'two_hop',
  toUInt32(length(kept)), arrayMax(s -> s.4, kept), {generation:UInt32}
FROM judged
WHERE block_number >= {from:UInt64} AND notEmpty(kept)
  AND (token, block_number) NOT IN (
    SELECT token, block_number FROM prices
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND method != 'two_hop'
      AND token IN traded
  )
ORDER BY token, block_number
