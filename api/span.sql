-- The lowest block of a chain that is later than a time. Grain: one row. Parameters: chain, low, newest (bounds of the height), from (Unix milliseconds).
-- Sort key: blocks (chain, block_number), by both bounds.
SELECT toFloat64(min(block_number)) AS first FROM blocks
WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {newest:UInt64} AND block_time > fromUnixTimestamp64Milli({from:Int64})
