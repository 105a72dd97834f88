-- Transactions that waited for what their inputs bring; the others are there since their block was read (schemas/clickhouse/0070_bitcoin_known_inputs.sql). Grain: one transaction. Parameters: chain, from, to, generation.
-- Of a block that was read half by a version before 0070 and half since, some are there and wait, too: they are left out. Sort keys: btc_read_transactions, btc_transactions and btc_inputs (chain, block_number, tx_index, …). What an unresolved input brings is unknown, and so is the fee.
INSERT INTO btc_transactions (chain, block_number, tx_index, block_hash, block_time, txid, version, locktime, size, weight, coinbase, input_count, output_count, unresolved_inputs,
  input_value, output_value, fee, generation)
SELECT {chain:String}, t.block_number, t.tx_index, t.block_hash, t.block_time, t.txid, t.version, t.locktime, t.size, t.weight, t.tx_index = 0 AS mints, t.input_count, t.output_count, i.unresolved,
  if(i.unresolved > 0, NULL, i.value) AS brought, t.output_value, if(mints OR i.value < t.output_value, NULL, brought - t.output_value), {generation:UInt32}
FROM (
  SELECT * FROM btc_read_transactions WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
    AND (block_number, tx_index) NOT IN (SELECT d.block_number, d.tx_index FROM btc_transactions AS d WHERE d.chain = {chain:String} AND d.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND d.generation = {generation:UInt32})
) AS t
INNER JOIN (
  SELECT block_number, tx_index, toUInt32(countIf(prevout = 'unresolved')) AS unresolved, sum(ifNull(value, 0)) AS value FROM btc_inputs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  GROUP BY block_number, tx_index
) AS i ON i.block_number = t.block_number AND i.tx_index = t.tx_index
ORDER BY t.block_number, t.tx_index
SETTINGS max_threads = 1
