-- Blocks of one chain within a time, how many of them have no price of its coin in dollars, and between which heights those lie.
-- Lines that end in a chain's name are left out elsewhere. A block of Bitcoin is priced by itself; one of Ethereum by the newest price at or before it that is not more than an hour older, as movements are.
-- Grain: one row. Parameters: chain, low, newest (bounds of the height), since, until (Unix milliseconds, inclusive).
-- Sort keys: btc_blocks (chain, block_number; written after the price), blocks (chain, block_number), prices (chain, token, block_number), by both bounds.
SELECT toFloat64(count()) AS blocks, toFloat64(countIf(NOT b.priced)) AS unpriced, toFloat64(minIf(b.block_number, NOT b.priced)) AS first, toFloat64(maxIf(b.block_number, NOT b.priced)) AS last
FROM (
  SELECT s.block_number AS block_number,
    r.usd > 0 AND r.block_number = s.block_number AS priced -- Bitcoin
    r.usd > 0 AND r.block_time >= s.block_time - INTERVAL 3600 SECOND AS priced -- Ethereum
  FROM (
    SELECT DISTINCT chain, block_number, block_time
    FROM btc_blocks -- Bitcoin
    FROM blocks -- Ethereum
    WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND block_time BETWEEN fromUnixTimestamp64Milli({since:Int64}) AND fromUnixTimestamp64Milli({until:Int64})
  ) AS s
  ASOF LEFT JOIN (
    SELECT chain, block_number, block_time, usd FROM prices
    WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN if({low:UInt64} > 3600, {low:UInt64} - 3600, 0) AND {newest:UInt64}
  ) AS r ON r.chain = s.chain AND r.block_number <= s.block_number
) AS b
