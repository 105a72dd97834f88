-- Blocks of one chain below a height and within a time, newest first.
-- Grain: one block. Parameters: chain, below (exclusive), since, until (Unix milliseconds), limit, offset. Sort key: (chain, block_number), read in reverse.
SELECT b.chain AS chain, toFloat64(b.block_number) AS number, concat('0x', lower(hex(b.block_hash))) AS hash, concat('0x', lower(hex(b.parent_hash))) AS parent_hash,
  b.block_time AS timestamp, concat('0x', lower(hex(b.miner))) AS miner, b.gas_used AS gas_used, b.gas_limit AS gas_limit,
  b.base_fee_per_gas AS base_fee_per_gas, b.difficulty AS difficulty, b.size AS size, concat('0x', lower(hex(b.extra_data))) AS extra_data,
  b.tx_count AS tx_count, b.log_count AS log_count, b.withdrawal_count AS withdrawal_count, b.blob_gas_used AS blob_gas_used,
  b.excess_blob_gas AS excess_blob_gas, b.internal_complete AS internal_complete
FROM blocks AS b
WHERE b.chain = {chain:String} AND b.block_number < {below:UInt64}
  AND b.block_time >= fromUnixTimestamp64Milli({since:Int64}) AND b.block_time <= fromUnixTimestamp64Milli({until:Int64})
ORDER BY b.chain DESC, b.block_number DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt64}
