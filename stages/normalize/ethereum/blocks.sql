-- Canonical blocks: the header, what is in them, and whether traces were to be had. Grain: one block.
-- Parameters: chain, from, to, generation. Written last: a block in this table has all its transactions and logs.
-- Reads raw_payloads, logs and transactions by their sort keys.
INSERT INTO blocks
WITH
  counted AS (
    SELECT block_number, count() AS logs FROM logs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} GROUP BY block_number
  )
SELECT
  {chain:String} AS chain, number AS block_number, block_hash, parent_hash,
  toDateTime64(reinterpretAsUInt64(reverse(unhex(substring(head.timestamp, 3)))), 3, 'UTC') AS block_time,
  toFixedString(unhex(substring(head.miner, 3)), 20) AS miner,
  reinterpretAsUInt64(reverse(unhex(substring(head.gasUsed, 3)))) AS gas_used,
  reinterpretAsUInt64(reverse(unhex(substring(head.gasLimit, 3)))) AS gas_limit,
  if(head.baseFeePerGas = '', NULL, reinterpretAsUInt256(reverse(unhex(substring(head.baseFeePerGas, 3))))) AS base_fee_per_gas,
  reinterpretAsUInt256(reverse(unhex(substring(head.difficulty, 3)))) AS difficulty,
  reinterpretAsUInt64(reverse(unhex(substring(head.size, 3)))) AS size, unhex(substring(head.extraData, 3)) AS extra_data,
  toUInt32(length(head.transactions)) AS tx_count, toUInt32(counted.logs) AS log_count, toUInt32(length(head.withdrawals)) AS withdrawal_count,
  if(head.blobGasUsed = '', NULL, reinterpretAsUInt64(reverse(unhex(substring(head.blobGasUsed, 3))))) AS blob_gas_used,
  if(head.excessBlobGas = '', NULL, reinterpretAsUInt64(reverse(unhex(substring(head.excessBlobGas, 3))))) AS excess_blob_gas,
  traces_kind != '' AS internal_complete, {generation:UInt32} AS generation
FROM (
  SELECT number, block_hash, parent_hash, traces_kind, JSONExtract(payload, 'result', 'Tuple(
    timestamp String, miner String, gasUsed String, gasLimit String, baseFeePerGas String, difficulty String, size String, extraData String,
    blobGasUsed String, excessBlobGas String, transactions Array(Tuple(hash String)), withdrawals Array(Tuple(index String)))') AS head
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
  LIMIT 1 BY number
) AS heads
LEFT JOIN counted ON counted.block_number = heads.number
