-- What there is to do for a batch of Bitcoin before it is valued. Grain: one row; each column counts, told only whether there is one. Parameters: chain, from, to, generation.
-- read: transactions that wait for inputs of which the node did not say what they spend. told: whether anybody ever said what a bitcoin is worth (Ethereum's side, the perps venue): prices.sql asks the same two tables.
-- blocks: those of the batch whose reading is there still: it goes after a while, and a stage may have been paused for longer. Three tables keep it, and each loses its old parts by itself, so a block counts where all its
-- transactions are there: whole, or waiting with inputs that wait. A coinbase waits for none (only a version before schemas/clickhouse/0070_bitcoin_known_inputs.sql left it waiting). What one insert read of a block goes from a table at once.
-- Sort keys: btc_read_transactions, btc_read_inputs, btc_read_blocks, btc_transactions (chain, block_number, …), prices (chain, token, block_number), hl_contexts (chain, dex, coin, time).
SELECT count() AS read,
  (SELECT count() FROM (SELECT 1 FROM prices WHERE chain = 'ETH' AND token = unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599') LIMIT 1))
    + (SELECT count() FROM (SELECT 1 FROM hl_contexts WHERE chain = 'HL' AND dex = '' AND coin = 'BTC' LIMIT 1)) AS told,
  (SELECT uniqExact(b.block_number)
    FROM (SELECT block_number, tx_count FROM btc_read_blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS b
    INNER JOIN (
      SELECT s.block_number AS block_number, groupBitmap(s.tx_index) AS there FROM (
        SELECT w.block_number AS block_number, w.tx_index AS tx_index FROM btc_transactions AS w WHERE w.chain = {chain:String} AND w.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND w.generation = {generation:UInt32}
        UNION ALL
        SELECT r.block_number, r.tx_index FROM btc_read_transactions AS r WHERE r.chain = {chain:String} AND r.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND r.generation = {generation:UInt32}
          AND (r.tx_index = 0 OR (r.block_number, r.tx_index) IN (SELECT i.block_number, i.tx_index FROM btc_read_inputs AS i WHERE i.chain = {chain:String} AND i.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND i.generation = {generation:UInt32}))
      ) AS s GROUP BY s.block_number
    ) AS t ON t.block_number = b.block_number
    WHERE t.there = b.tx_count) AS blocks
FROM btc_read_transactions
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
SETTINGS max_threads = 1
