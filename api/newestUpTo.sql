-- The newest block of a chain up to a height, and the latest time of any of them. Grain: one row. Parameters: chain, height.
-- Sort key: blocks (chain, block_number), by the height; within the chain, the times are read.
SELECT toFloat64(max(block_number)) AS newest, max(block_time) AS time, toFloat64(count()) AS blocks FROM blocks
WHERE chain = {chain:String} AND block_number <= {height:UInt64}
