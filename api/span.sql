-- The lowest block of a chain that is later than a time, how many of the blocks from it on are, how many there are, and whether the block before it is there. On Bitcoin a block may be
-- earlier than the one before it, so one from the lowest on need not be of the time.
-- Grain: one row. Parameters: chain, low, newest (bounds of the height), from (Unix milliseconds). Sort key: blocks (chain, block_number), by both bounds.
WITH (
  SELECT min(l.block_number) FROM blocks AS l WHERE l.chain = {chain:String} AND l.block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND l.block_time > fromUnixTimestamp64Milli({from:Int64})
) AS lowest
SELECT toFloat64(lowest) AS first, toFloat64(uniqExactIf(b.block_number, b.later AND b.block_number >= lowest)) AS blocks, toFloat64(uniqExactIf(b.block_number, b.block_number >= lowest)) AS stored,
  countIf(b.block_number + 1 = lowest) > 0 AS before
FROM (
  SELECT block_number, block_time > fromUnixTimestamp64Milli({from:Int64}) AS later FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {newest:UInt64}
) AS b
