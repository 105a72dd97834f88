-- Whether every block of a chain later than a time and up to a time is in the store. since 0: from height low on; before the chain's first block, genesis: from that on.
-- Grain: one row. Parameters: chain, low, newest (bounds of the height), genesis (height), since, until (Unix milliseconds).
-- Sort key: blocks (chain, block_number), by both bounds.
WITH
  (SELECT tuple(count(), max(block_number)) FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND block_time <= fromUnixTimestamp64Milli({until:Int64})) AS last,
  (SELECT tuple(count(), max(block_number)) FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND block_time <= fromUnixTimestamp64Milli({since:Int64})) AS before,
  multiIf({since:Int64} = 0, {low:UInt64}, before.1 = 0, {genesis:UInt64}, before.2) AS first,
  -- The block after the last must be there, too, or what is missing may have been within the time.
  least(last.2 + 1, {newest:UInt64}) AS top
SELECT last.1 > 0 AND ({since:Int64} = 0 OR before.1 > 0 OR {low:UInt64} <= {genesis:UInt64}) AND toInt64(uniqExact(b.block_number)) >= toInt64(top) - toInt64(first) + 1 AS whole
FROM blocks AS b
WHERE b.chain = {chain:String} AND b.block_number BETWEEN first AND top
