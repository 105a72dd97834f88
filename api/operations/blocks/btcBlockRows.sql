-- A block of Bitcoin as every chain has it, the newer first: a reorg leaves two for a moment. Grain: one block. Parameters: chain, at. Sort key: blocks (chain, block_number).
SELECT b.chain AS chain, toFloat64(b.block_number) AS number, concat('0x', lower(hex(b.block_hash))) AS hash, concat('0x', lower(hex(b.parent_hash))) AS parent_hash,
  b.generation AS generation, b.block_time AS timestamp, concat('0x', lower(hex(b.miner))) AS miner, b.gas_used AS gas_used, b.gas_limit AS gas_limit,
  b.base_fee_per_gas AS base_fee_per_gas, b.size AS size, concat('0x', lower(hex(b.extra_data))) AS extra_data,
  b.tx_count AS tx_count, b.log_count AS log_count, b.withdrawal_count AS withdrawal_count, b.blob_gas_used AS blob_gas_used,
  b.excess_blob_gas AS excess_blob_gas, b.internal_complete AS internal_complete
FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_number = {at:UInt64} ORDER BY b.generation DESC
SETTINGS max_threads = 1
