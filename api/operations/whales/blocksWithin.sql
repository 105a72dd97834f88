-- The lowest block of a chain not before a time and the highest not after another, which bound what is read of the movements; 0 and 0 blocks where none is of that time.
-- Grain: one row. Parameters: chain, since, until (Unix milliseconds). Sort key: blocks (chain, block_number); within the chain, the times are read.
SELECT toString(minIf(b.block_number, b.block_time >= fromUnixTimestamp64Milli({since:Int64}))) AS first, toString(maxIf(b.block_number, b.block_time <= fromUnixTimestamp64Milli({until:Int64}))) AS last,
  toFloat64(countIf(b.block_time BETWEEN fromUnixTimestamp64Milli({since:Int64}) AND fromUnixTimestamp64Milli({until:Int64}))) AS blocks
FROM blocks AS b WHERE b.chain = {chain:String}
