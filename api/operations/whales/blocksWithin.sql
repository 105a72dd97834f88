-- The lowest block of a chain not before a time and the highest not after another; 0 where there is none. Two times that blocks lie between bound what is read of the movements.
-- Grain: one row. Parameters: chain, since, until (Unix milliseconds). Sort key: blocks (chain, block_number); within the chain, the times are read.
SELECT toString(minIf(b.block_number, b.block_time >= fromUnixTimestamp64Milli({since:Int64}))) AS first, toString(maxIf(b.block_number, b.block_time <= fromUnixTimestamp64Milli({until:Int64}))) AS last
FROM blocks AS b WHERE b.chain = {chain:String}
