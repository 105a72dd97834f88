-- Blocks, transactions, logs and withdrawals out of the answers, each parsed once. Grain: one block; schemas/clickhouse/
-- 0010_ethereum_answers.sql says how it is cut into rows. Parameters: chain, from, to, generation.
-- A receipt from before Byzantium has a root of the state in the place of a status. Some nodes fill in a status for it all the same, the same one for all: it
-- tells nothing, and is left out. Since London nodes of tests give roots beside statuses that are true.
-- Of a block that landed with traces and without, by attempts that ran into each other, an answer with them is taken, as internal.sql does: it is complete inside.
-- Reads raw_payloads by its sort key (chain, kind, number). One thread and one block of rows: a repeat then has the same token in every table.
INSERT INTO ethereum_answers (chain, generation, block_number, block_hash, parent_hash, internal_complete, head, receipts)
SELECT {chain:String}, {generation:UInt32}, number, block_hash, parent_hash, traces_kind != '',
  JSONExtract(payload, 'result', 'Tuple(timestamp String, miner String, gasUsed String, gasLimit String, baseFeePerGas String, difficulty String, size String, extraData String,
    blobGasUsed String, excessBlobGas String,
    transactions Array(Tuple(hash String, type String, `from` String, `to` String, value String, nonce String, gas String, gasPrice String, maxFeePerGas String, maxPriorityFeePerGas String, input String)),
    withdrawals Array(Tuple(index String, validatorIndex String, address String, amount String)))') AS head,
  arrayMap(one -> (one.transactionHash, one.gasUsed, one.effectiveGasPrice, one.contractAddress, if(length(one.root) = 66 AND head.baseFeePerGas = '', '', one.status), one.blobGasUsed, one.blobGasPrice, one.logs),
    JSONExtract(raw_payloads.receipts, 'result', 'Array(Tuple(transactionHash String, gasUsed String, effectiveGasPrice String, contractAddress String, status String, root String, blobGasUsed String, blobGasPrice String,
      logs Array(Tuple(logIndex String, address String, topics Array(String), data String))))'))
FROM raw_payloads
WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
  AND (number, traces_kind) IN (SELECT one.number, max(one.traces_kind) FROM raw_payloads AS one
    WHERE one.chain = {chain:String} AND one.number BETWEEN {from:UInt64} AND {to:UInt64} AND one.kind = 'block' AND one.problem = '' AND one.generation = {generation:UInt32} GROUP BY one.number)
LIMIT 1 BY number
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
