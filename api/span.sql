-- The lowest block of a chain that is later than a time, how many there are from it on, and the block before it (-1: none is near).
-- Grain: one row. Parameters: chain, low, newest (bounds of the height), from (Unix milliseconds). Sort key: blocks (chain, block_number), by both bounds.
SELECT toFloat64(minIf(b.block_number, later)) AS first, toFloat64(uniqExactIf(b.block_number, later)) AS blocks, if(countIf(NOT later) = 0, -1, toFloat64(maxIf(b.block_number, NOT later))) AS before
FROM (
  SELECT block_number, block_time > fromUnixTimestamp64Milli({from:Int64}) AS later FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {newest:UInt64}
) AS b
