-- Logs as their contracts emitted them. Grain: one log. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number) and the batch's transactions, which carry the time of the block.
INSERT INTO logs
WITH times AS (
  SELECT block_number, any(block_time) AS block_time FROM transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} GROUP BY block_number
)
SELECT
  {chain:String} AS chain, number AS block_number, toUInt32(reinterpretAsUInt64(reverse(unhex(substring(log.logIndex, 3))))) AS log_index,
  block_hash, times.block_time AS block_time,
  toUInt32(reinterpretAsUInt64(reverse(unhex(substring(receipt.transactionIndex, 3))))) AS tx_index,
  toFixedString(unhex(substring(receipt.transactionHash, 3)), 32) AS tx_hash,
  toFixedString(unhex(substring(log.address, 3)), 20) AS address, toUInt8(length(log.topics)) AS topic_count,
  toFixedString(unhex(substring(log.topics[1], 3)), 32) AS topic0, toFixedString(unhex(substring(log.topics[2], 3)), 32) AS topic1,
  toFixedString(unhex(substring(log.topics[3], 3)), 32) AS topic2, toFixedString(unhex(substring(log.topics[4], 3)), 32) AS topic3,
  unhex(substring(log.data, 3)) AS data, {generation:UInt32} AS generation
FROM (
  SELECT number, block_hash, JSONExtract(raw_payloads.receipts, 'result', 'Array(Tuple(transactionIndex String, transactionHash String,
    logs Array(Tuple(logIndex String, address String, topics Array(String), data String))))') AS receipts
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
  LIMIT 1 BY number
)
ARRAY JOIN receipts AS receipt
ARRAY JOIN receipt.logs AS log
INNER JOIN times ON times.block_number = number
