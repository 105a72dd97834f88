-- A transaction of Bitcoin of which the node said all that its inputs spend is whole when its block is read: it goes into btc_transactions at once, and only the others wait for their inputs.

-- input_value: what the inputs bring of which that is known, 0 of a coinbase. unresolved: the inputs of which it is not.
ALTER TABLE btc_answers MODIFY COLUMN transactions Array(Tuple(txid FixedString(32), version Int32, locktime UInt32, size UInt32, weight UInt32, input_count UInt32, output_count UInt32, output_value UInt64, input_value UInt64, unresolved UInt32));

DROP VIEW IF EXISTS btc_answers_read_transactions SYNC;
CREATE MATERIALIZED VIEW IF NOT EXISTS btc_answers_read_transactions TO btc_read_transactions AS
SELECT chain, block_number, toUInt32(nth - 1) AS tx_index, block_hash, block_time, tx.txid AS txid, tx.version AS version, tx.locktime AS locktime, tx.size AS size, tx.weight AS weight,
  tx.input_count AS input_count, tx.output_count AS output_count, tx.output_value AS output_value, generation
FROM (SELECT chain, block_number, block_hash, block_time, generation, transactions FROM btc_answers)
ARRAY JOIN transactions AS tx, arrayEnumerate(transactions) AS nth
WHERE tx.unresolved > 0;

-- Columns as stages/normalize/bitcoin/transactions.sql has them.
CREATE MATERIALIZED VIEW IF NOT EXISTS btc_answers_transactions TO btc_transactions AS
SELECT chain, block_number, toUInt32(nth - 1) AS tx_index, block_hash, block_time, tx.txid AS txid, tx.version AS version, tx.locktime AS locktime, tx.size AS size, tx.weight AS weight,
  nth = 1 AS coinbase, tx.input_count AS input_count, tx.output_count AS output_count, toUInt32(0) AS unresolved_inputs,
  toNullable(tx.input_value) AS input_value, tx.output_value AS output_value, if(nth = 1 OR tx.input_value < tx.output_value, NULL, tx.input_value - tx.output_value) AS fee, generation
FROM (SELECT chain, block_number, block_hash, block_time, generation, transactions FROM btc_answers)
ARRAY JOIN transactions AS tx, arrayEnumerate(transactions) AS nth
WHERE tx.unresolved = 0;
