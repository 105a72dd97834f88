-- The block of a chain at each of the heights. Grain: one height. Parameters: chain, heights. Sort key: blocks (chain, block_number).
-- A reorg leaves both blocks for a moment; the newer is the chain's.
SELECT toFloat64(b.block_number) AS height, argMax(lower(hex(b.block_hash)), b.generation) AS hash, argMax(b.block_time, b.generation) AS time
FROM blocks AS b
WHERE b.chain = {chain:String} AND b.block_number IN {heights:Array(UInt64)}
GROUP BY b.block_number
ORDER BY height
