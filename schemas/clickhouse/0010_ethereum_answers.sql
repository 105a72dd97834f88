-- How Ethereum's answers become rows: normalize reads each answer once and parses it once, into ethereum_answers, which keeps nothing
-- (Null); the views below cut what passes into blocks, transactions, logs and withdrawals. Quantities are hex of any length.
-- One insert is one block of rows (stages/normalize/ethereum/decode.sql sees to it), so its token makes a repeat land only in those
-- tables that have not had it.

-- Grain: one block with its receipts, as the node wrote them; ingest has checked that receipts are those of the transactions, in order.
CREATE TABLE IF NOT EXISTS ethereum_answers (
  chain LowCardinality(String), generation UInt32, block_number UInt64, block_hash FixedString(32), parent_hash FixedString(32), internal_complete Bool,
  head Tuple(timestamp String, miner String, gasUsed String, gasLimit String, baseFeePerGas String, difficulty String, size String, extraData String, blobGasUsed String, excessBlobGas String,
    transactions Array(Tuple(hash String, type String, `from` String, `to` String, value String, nonce String, gas String, gasPrice String, maxFeePerGas String, maxPriorityFeePerGas String, input String)),
    withdrawals Array(Tuple(index String, validatorIndex String, address String, amount String))),
  receipts Array(Tuple(transactionHash String, gasUsed String, effectiveGasPrice String, contractAddress String, status String, blobGasUsed String, blobGasPrice String,
    logs Array(Tuple(logIndex String, address String, topics Array(String), data String)))),
  block_time DateTime64(3, 'UTC') ALIAS toDateTime64(reinterpretAsUInt64(reverse(unhex(substring(head.timestamp, 3)))), 3, 'UTC')
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS ethereum_blocks TO blocks AS
SELECT chain, block_number, block_hash, parent_hash, block_time,
  toFixedString(unhex(substring(head.miner, 3)), 20) AS miner,
  reinterpretAsUInt64(reverse(unhex(substring(head.gasUsed, 3)))) AS gas_used, reinterpretAsUInt64(reverse(unhex(substring(head.gasLimit, 3)))) AS gas_limit,
  if(head.baseFeePerGas = '', NULL, reinterpretAsUInt256(reverse(unhex(substring(head.baseFeePerGas, 3))))) AS base_fee_per_gas,
  reinterpretAsUInt256(reverse(unhex(substring(head.difficulty, 3)))) AS difficulty, reinterpretAsUInt64(reverse(unhex(substring(head.size, 3)))) AS size,
  unhex(substring(head.extraData, 3)) AS extra_data,
  toUInt32(length(head.transactions)) AS tx_count, toUInt32(arraySum(receipt -> length(receipt.logs), receipts)) AS log_count, toUInt32(length(head.withdrawals)) AS withdrawal_count,
  if(head.blobGasUsed = '', NULL, reinterpretAsUInt64(reverse(unhex(substring(head.blobGasUsed, 3))))) AS blob_gas_used,
  if(head.excessBlobGas = '', NULL, reinterpretAsUInt64(reverse(unhex(substring(head.excessBlobGas, 3))))) AS excess_blob_gas,
  internal_complete, generation
FROM ethereum_answers;

-- Receipts from before Byzantium tell no status. A transaction that failed then used up all of its gas and left no logs: one that has gas
-- left, or logs, has succeeded; of any other the status stays unknown.
CREATE MATERIALIZED VIEW IF NOT EXISTS ethereum_transactions TO transactions AS
SELECT chain, block_number, toUInt32(place - 1) AS tx_index, block_hash, block_time,
  toFixedString(unhex(substring(tx.hash, 3)), 32) AS tx_hash, reinterpretAsUInt8(reverse(unhex(substring(tx.type, 3)))) AS tx_type,
  toFixedString(unhex(substring(tx.from, 3)), 20) AS from_address, toFixedString(unhex(substring(tx.to, 3)), 20) AS to_address,
  tx.to = '' AS creates_contract, toFixedString(unhex(substring(contract, 3)), 20) AS contract_address,
  reinterpretAsUInt256(reverse(unhex(substring(tx.value, 3)))) AS value, reinterpretAsUInt64(reverse(unhex(substring(tx.nonce, 3)))) AS nonce,
  reinterpretAsUInt64(reverse(unhex(substring(tx.gas, 3)))) AS gas_limit, reinterpretAsUInt64(reverse(unhex(substring(used, 3)))) AS gas_used,
  reinterpretAsUInt256(reverse(unhex(substring(if(paid = '', tx.gasPrice, paid), 3)))) AS gas_price,
  if(tx.maxFeePerGas = '', NULL, reinterpretAsUInt256(reverse(unhex(substring(tx.maxFeePerGas, 3))))) AS max_fee_per_gas,
  if(tx.maxPriorityFeePerGas = '', NULL, reinterpretAsUInt256(reverse(unhex(substring(tx.maxPriorityFeePerGas, 3))))) AS max_priority_fee_per_gas,
  if(blob_used = '', NULL, reinterpretAsUInt64(reverse(unhex(substring(blob_used, 3))))) AS blob_gas_used,
  if(blob_price = '', NULL, reinterpretAsUInt256(reverse(unhex(substring(blob_price, 3))))) AS blob_gas_price,
  multiIf(state != '', reinterpretAsUInt8(reverse(unhex(substring(state, 3)))), gas_used < gas_limit OR spoke, 1, NULL) AS status,
  toFixedString(unhex(substring(tx.input, 3, 8)), 4) AS selector, toUInt32(intDiv(length(tx.input) - 2, 2)) AS input_size, generation
FROM ethereum_answers
ARRAY JOIN head.transactions AS tx, arrayEnumerate(head.transactions) AS place, receipts.gasUsed AS used, receipts.effectiveGasPrice AS paid,
  receipts.contractAddress AS contract, receipts.status AS state, arrayMap(emitted -> notEmpty(emitted), receipts.logs) AS spoke,
  receipts.blobGasUsed AS blob_used, receipts.blobGasPrice AS blob_price;

CREATE MATERIALIZED VIEW IF NOT EXISTS ethereum_logs TO logs AS
SELECT chain, block_number, toUInt32(reinterpretAsUInt64(reverse(unhex(substring(log.logIndex, 3))))) AS log_index, block_hash, block_time,
  toUInt32(place - 1) AS tx_index, tx_hash, toFixedString(unhex(substring(log.address, 3)), 20) AS address, toUInt8(length(log.topics)) AS topic_count,
  toFixedString(unhex(substring(log.topics[1], 3)), 32) AS topic0, toFixedString(unhex(substring(log.topics[2], 3)), 32) AS topic1,
  toFixedString(unhex(substring(log.topics[3], 3)), 32) AS topic2, toFixedString(unhex(substring(log.topics[4], 3)), 32) AS topic3,
  unhex(substring(log.data, 3)) AS data, generation
FROM (
  SELECT chain, block_number, block_hash, block_time, generation, place, toFixedString(unhex(substring(hash, 3)), 32) AS tx_hash, emitted
  FROM ethereum_answers ARRAY JOIN receipts.logs AS emitted, arrayEnumerate(receipts) AS place, receipts.transactionHash AS hash
)
ARRAY JOIN emitted AS log;

-- Withdrawals are in gwei; ours are in wei.
CREATE MATERIALIZED VIEW IF NOT EXISTS ethereum_withdrawals TO withdrawals AS
SELECT chain, block_number, reinterpretAsUInt64(reverse(unhex(substring(paid.index, 3)))) AS withdrawal_index, block_hash, block_time,
  reinterpretAsUInt64(reverse(unhex(substring(paid.validatorIndex, 3)))) AS validator_index, toFixedString(unhex(substring(paid.address, 3)), 20) AS address,
  reinterpretAsUInt256(reverse(unhex(substring(paid.amount, 3)))) * toUInt256(1000000000) AS amount, generation
FROM ethereum_answers ARRAY JOIN head.withdrawals AS paid;
