-- Blocks of Bitcoin within a time, how many of them have no price in dollars, and between which heights those lie.
-- Grain: one row. Parameters: chain, low, newest (bounds of the height), since, until (Unix milliseconds, inclusive). Sort keys: btc_blocks (chain, block_number; written after the price), prices (chain, token, block_number), by both bounds.
SELECT toFloat64(count()) AS blocks, toFloat64(countIf(NOT priced)) AS unpriced, toFloat64(minIf(b.block_number, NOT priced)) AS first, toFloat64(maxIf(b.block_number, NOT priced)) AS last
FROM (
  SELECT DISTINCT block_number, block_number IN (
    SELECT block_number FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND usd > 0
  ) AS priced
  FROM btc_blocks
  WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND block_time BETWEEN fromUnixTimestamp64Milli({since:Int64}) AND fromUnixTimestamp64Milli({until:Int64})
) AS b
