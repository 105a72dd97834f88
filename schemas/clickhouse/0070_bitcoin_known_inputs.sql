-- A transaction of Bitcoin of which the node said all that its inputs spend is whole when its block is read: it goes into btc_transactions at once, and only the others wait for their inputs.

-- What the inputs of each transaction bring, 0 of a coinbase, null where that is not known of one of them. Who does not fill it (a worker of a version before) has all of them wait.
ALTER TABLE btc_answers ADD COLUMN IF NOT EXISTS brought Array(Nullable(UInt64)) AFTER transactions;

-- Columns as stages/normalize/bitcoin/transactions.sql has them.
CREATE MATERIALIZED VIEW IF NOT EXISTS btc_answers_transactions TO btc_transactions AS
SELECT chain, block_number, toUInt32(nth - 1) AS tx_index, block_hash, block_time, tx.txid AS txid, tx.version AS version, tx.locktime AS locktime, tx.size AS size, tx.weight AS weight,
  nth = 1 AS coinbase, tx.input_count AS input_count, tx.output_count AS output_count, toUInt32(0) AS unresolved_inputs,
  input_value, tx.output_value AS output_value, if(nth = 1 OR input_value < tx.output_value, NULL, input_value - tx.output_value) AS fee, generation
FROM (SELECT chain, block_number, block_hash, block_time, generation, transactions, brought FROM btc_answers)
ARRAY JOIN transactions AS tx, arrayEnumerate(transactions) AS nth, arrayResize(brought, length(transactions), NULL) AS input_value
WHERE input_value IS NOT NULL;

-- Changed in one step, so that whoever writes meanwhile writes each transaction to one of both.
ALTER TABLE btc_answers_read_transactions MODIFY QUERY
SELECT chain, block_number, toUInt32(nth - 1) AS tx_index, block_hash, block_time, tx.txid AS txid, tx.version AS version, tx.locktime AS locktime, tx.size AS size, tx.weight AS weight,
  tx.input_count AS input_count, tx.output_count AS output_count, tx.output_value AS output_value, generation
FROM (SELECT chain, block_number, block_hash, block_time, generation, transactions, brought FROM btc_answers)
ARRAY JOIN transactions AS tx, arrayEnumerate(transactions) AS nth, arrayResize(brought, length(transactions), NULL) AS input_value
WHERE input_value IS NULL;
