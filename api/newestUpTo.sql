-- The newest block of a chain up to a height, and the latest time of any of them. Grain: one row. Parameters: chain, height.
-- A block of Bitcoin is later than the middle one of the eleven before it and not two hours ahead, so the latest is among the newest; two weeks of them are more than enough.
-- Sort key: blocks (chain, block_number), read in reverse from the height on.
SELECT toFloat64(max(b.block_number)) AS newest, max(b.block_time) AS time, toFloat64(count()) AS blocks
FROM (SELECT block_number, block_time FROM blocks WHERE chain = {chain:String} AND block_number <= {height:UInt64} ORDER BY chain DESC, block_number DESC LIMIT 2016) AS b
