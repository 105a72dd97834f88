-- The newest block of a chain that is not later than a time. Grain: one row. Parameters: chain, until (Unix milliseconds).
-- Sort key: blocks (chain, block_number); within the chain, the times are read.
SELECT toFloat64(max(block_number)) AS newest, max(block_time) AS time, toFloat64(count()) AS blocks FROM blocks
WHERE chain = {chain:String} AND block_time <= fromUnixTimestamp64Milli({until:Int64})
