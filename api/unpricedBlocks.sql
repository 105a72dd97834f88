-- Blocks of one chain within a time, how many of them have no price of its coin in dollars, and between which heights those lie.
-- Lines that end in a chain's name are left out elsewhere. A block of Bitcoin is priced by itself; one of Ethereum by the newest price at or before it that is not more than an hour older, as movements are:
-- there is one where its full hour has a price at or before it, or the hour before has one that is not too old. So hours are joined, which are few, and a question about all of the chain costs little more than reading it.
-- Grain: one row. Parameters: chain, low, newest (bounds of the height), since, until (Unix milliseconds, inclusive).
-- Sort keys: btc_blocks (chain, block_number; written after the price), blocks (chain, block_number), prices (chain, token, block_number), by both bounds, and by its index by time.
SELECT toFloat64(count()) AS blocks, toFloat64(countIf(NOT b.priced)) AS unpriced, toFloat64(minIf(b.block_number, NOT b.priced)) AS first, toFloat64(maxIf(b.block_number, NOT b.priced)) AS last
FROM (
  SELECT s.block_number AS block_number,
    s.block_number IN (SELECT p.block_number FROM prices AS p WHERE p.chain = {chain:String} AND p.token = toFixedString('', 20) AND p.block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND p.usd > 0) AS priced -- Bitcoin
    (h.earliest > 0 AND s.at >= h.earliest) OR h.latest >= s.at - 3600000 AS priced -- Ethereum
  FROM (
    SELECT block_number, toUnixTimestamp64Milli(block_time) AS at, intDiv(at, 3600000) AS hour
    FROM btc_blocks -- Bitcoin
    FROM blocks -- Ethereum
    WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND block_time BETWEEN fromUnixTimestamp64Milli({since:Int64}) AND fromUnixTimestamp64Milli({until:Int64})
  ) AS s
  LEFT JOIN ( -- Ethereum
    SELECT told.1 AS hour, minIf(told.2, told.2 > 0) AS earliest, max(told.3) AS latest FROM ( -- Ethereum
      SELECT arrayJoin([(p.hour, min(p.at), toInt64(0)), (p.hour + 1, toInt64(0), max(p.at))]) AS told FROM ( -- Ethereum
        SELECT toUnixTimestamp64Milli(block_time) AS at, intDiv(at, 3600000) AS hour FROM prices -- Ethereum
        WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN if({low:UInt64} > 3600, {low:UInt64} - 3600, 0) AND {newest:UInt64} AND usd > 0 -- Ethereum
          AND block_time BETWEEN fromUnixTimestamp64Milli(greatest({since:Int64} - 3600000, 0)) AND fromUnixTimestamp64Milli({until:Int64}) -- Ethereum
      ) AS p GROUP BY p.hour -- Ethereum
    ) GROUP BY hour -- Ethereum
  ) AS h ON h.hour = s.hour -- Ethereum
) AS b
