-- Transactions with what their receipts add. Grain: one transaction. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number); each payload is parsed once. Quantities are hex of any length.
INSERT INTO transactions
WITH
  sent AS (
    SELECT number, block_hash, toDateTime64(reinterpretAsUInt64(reverse(unhex(substring(head.1, 3)))), 3, 'UTC') AS block_time, tx
    FROM (
      SELECT number, block_hash, JSONExtract(payload, 'result', 'Tuple(
        timestamp String,
        transactions Array(Tuple(hash String, type String, `from` String, `to` String, value String, nonce String, gas String, gasPrice String,
          maxFeePerGas String, maxPriorityFeePerGas String, input String, transactionIndex String)))') AS head
      FROM raw_payloads
      WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
      LIMIT 1 BY number
    )
    ARRAY JOIN head.2 AS tx
  ),
  done AS (
    SELECT number, toUInt32(reinterpretAsUInt64(reverse(unhex(substring(receipt.1, 3))))) AS tx_index, receipt
    FROM (
      SELECT number, JSONExtract(raw_payloads.receipts, 'result', 'Array(Tuple(transactionIndex String, gasUsed String, effectiveGasPrice String,
        contractAddress String, status String, blobGasUsed String, blobGasPrice String))') AS receipts
      FROM raw_payloads
      WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
      LIMIT 1 BY number
    )
    ARRAY JOIN receipts AS receipt
  )
SELECT
  {chain:String} AS chain, number AS block_number, toUInt32(reinterpretAsUInt64(reverse(unhex(substring(tx.transactionIndex, 3))))) AS tx_index,
  block_hash, block_time, toFixedString(unhex(substring(tx.hash, 3)), 32) AS tx_hash,
  reinterpretAsUInt8(reverse(unhex(substring(tx.type, 3)))) AS tx_type,
  toFixedString(unhex(substring(tx.from, 3)), 20) AS from_address, toFixedString(unhex(substring(tx.to, 3)), 20) AS to_address,
  tx.to = '' AS creates_contract, toFixedString(unhex(substring(receipt.contractAddress, 3)), 20) AS contract_address,
  reinterpretAsUInt256(reverse(unhex(substring(tx.value, 3)))) AS value,
  reinterpretAsUInt64(reverse(unhex(substring(tx.nonce, 3)))) AS nonce,
  reinterpretAsUInt64(reverse(unhex(substring(tx.gas, 3)))) AS gas_limit,
  reinterpretAsUInt64(reverse(unhex(substring(receipt.gasUsed, 3)))) AS gas_used,
  reinterpretAsUInt256(reverse(unhex(substring(if(receipt.effectiveGasPrice = '', tx.gasPrice, receipt.effectiveGasPrice), 3)))) AS gas_price,
  if(tx.maxFeePerGas = '', NULL, reinterpretAsUInt256(reverse(unhex(substring(tx.maxFeePerGas, 3))))) AS max_fee_per_gas,
  if(tx.maxPriorityFeePerGas = '', NULL, reinterpretAsUInt256(reverse(unhex(substring(tx.maxPriorityFeePerGas, 3))))) AS max_priority_fee_per_gas,
  if(receipt.blobGasUsed = '', NULL, reinterpretAsUInt64(reverse(unhex(substring(receipt.blobGasUsed, 3))))) AS blob_gas_used,
  if(receipt.blobGasPrice = '', NULL, reinterpretAsUInt256(reverse(unhex(substring(receipt.blobGasPrice, 3))))) AS blob_gas_price,
  if(receipt.status = '', NULL, reinterpretAsUInt8(reverse(unhex(substring(receipt.status, 3))))) AS status,
  toFixedString(unhex(substring(tx.input, 3, 8)), 4) AS selector, toUInt32(intDiv(length(tx.input) - 2, 2)) AS input_size,
  {generation:UInt32} AS generation
FROM sent INNER JOIN done ON done.number = sent.number AND done.tx_index = toUInt32(reinterpretAsUInt64(reverse(unhex(substring(tx.transactionIndex, 3)))))
