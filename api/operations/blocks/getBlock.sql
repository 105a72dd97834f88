-- One block and a summary of its transactions; with at = the largest UInt64, the newest block.
-- Grain: one block. Parameters: chain, at. Sort key: (chain, block_number) of blocks and of transactions.
WITH (
  SELECT max(block_number) FROM blocks WHERE chain = {chain:String} AND ({at:UInt64} = 18446744073709551615 OR block_number = {at:UInt64})
) AS wanted
SELECT b.chain AS chain, toFloat64(b.block_number) AS number, concat('0x', lower(hex(b.block_hash))) AS hash, concat('0x', lower(hex(b.parent_hash))) AS parent_hash,
  b.block_time AS timestamp, concat('0x', lower(hex(b.miner))) AS miner, b.gas_used AS gas_used, b.gas_limit AS gas_limit,
  b.base_fee_per_gas AS base_fee_per_gas, b.difficulty AS difficulty, b.size AS size, concat('0x', lower(hex(b.extra_data))) AS extra_data,
  b.tx_count AS tx_count, b.log_count AS log_count, b.withdrawal_count AS withdrawal_count, b.blob_gas_used AS blob_gas_used,
  b.excess_blob_gas AS excess_blob_gas, b.internal_complete AS internal_complete,
  CAST((t.count, t.succeeded, t.failed, t.contracts_created, t.senders, t.receivers, t.value, t.fees),
    'Tuple(count Float64, succeeded Float64, failed Float64, contracts_created Float64, senders Float64, receivers Float64, value String, fees String)') AS transactions
FROM (SELECT * FROM blocks WHERE chain = {chain:String} AND block_number = wanted LIMIT 1) AS b
CROSS JOIN (
  SELECT toFloat64(count()) AS count, toFloat64(countIf(status = 1)) AS succeeded, toFloat64(countIf(status = 0)) AS failed, toFloat64(countIf(creates_contract)) AS contracts_created,
    toFloat64(uniqExact(from_address)) AS senders, toFloat64(uniqExactIf(to_address, NOT creates_contract)) AS receivers,
    toString(sumIf(value, status != 0 OR status IS NULL)) AS value, toString(sum(gas_price * gas_used)) AS fees
  FROM transactions WHERE chain = {chain:String} AND block_number = wanted
) AS t
