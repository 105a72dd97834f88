-- One block and a summary of its transactions, once all of them are there. Grain: one block. Parameters: chain, at.
-- A creation that failed created nothing; one whose success is not known is not counted: status_unknown tells of those.
-- Sort key: (chain, block_number) of blocks and of transactions.
SELECT b.chain AS chain, toFloat64(b.block_number) AS number, concat('0x', lower(hex(b.block_hash))) AS hash, concat('0x', lower(hex(b.parent_hash))) AS parent_hash,
  b.block_time AS timestamp, concat('0x', lower(hex(b.miner))) AS miner, b.gas_used AS gas_used, b.gas_limit AS gas_limit,
  b.base_fee_per_gas AS base_fee_per_gas, b.difficulty AS difficulty, b.size AS size, concat('0x', lower(hex(b.extra_data))) AS extra_data,
  b.tx_count AS tx_count, b.log_count AS log_count, b.withdrawal_count AS withdrawal_count, b.blob_gas_used AS blob_gas_used,
  b.excess_blob_gas AS excess_blob_gas, b.internal_complete AS internal_complete,
  CAST((toFloat64(t.rows), toFloat64(t.succeeded), toFloat64(t.failed), toFloat64(t.created), toFloat64(t.senders), toFloat64(t.receivers), toString(t.paid), toString(t.fees), toString(t.blob_fees), toFloat64(t.status_unknown)),
    'Tuple(count Float64, succeeded Float64, failed Float64, contracts_created Float64, senders Float64, receivers Float64, value String, fees String, blob_fees String, status_unknown Float64)') AS transactions
FROM (SELECT * FROM blocks WHERE chain = {chain:String} AND block_number = {at:UInt64}) AS b
LEFT JOIN (
  SELECT block_hash, count() AS rows, countIf(status = 1) AS succeeded, countIf(status = 0) AS failed, countIf(creates_contract AND status = 1) AS created,
    uniqExact(from_address) AS senders, uniqExactIf(to_address, NOT creates_contract) AS receivers, sumIf(value, status = 1) AS paid, sum(gas_price * gas_used) AS fees,
    sum(ifNull(blob_gas_price * blob_gas_used, 0)) AS blob_fees, countIf(status IS NULL) AS status_unknown
  FROM transactions WHERE chain = {chain:String} AND block_number = {at:UInt64} GROUP BY block_hash
) AS t ON t.block_hash = b.block_hash
-- A reorg leaves both blocks for a moment; the newer is the chain's. The tables of a block fill in no order.
WHERE b.tx_count = t.rows ORDER BY b.generation DESC LIMIT 1
-- A block is a few thousand rows: joins that hash them side by side cost more than they save.
SETTINGS max_threads = 1, join_algorithm = 'hash'
