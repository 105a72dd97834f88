-- What there is to do for a batch of Bitcoin before it is valued. Grain: one row; each column counts, told only whether there is one. Parameters: chain, from, to, generation.
-- read: transactions that wait for inputs of which the node did not say what they spend. told: whether anybody ever said what a bitcoin is worth (Ethereum's side, the perps venue): prices.sql asks the same two tables.
-- blocks: those of the batch whose reading is there still: it goes after a while, and a stage may have been paused for longer.
-- Sort keys: btc_read_transactions, btc_read_blocks (chain, block_number, …), prices (chain, token, block_number), hl_contexts (chain, dex, coin, time).
SELECT count() AS read,
  (SELECT count() FROM (SELECT 1 FROM prices WHERE chain = 'ETH' AND token = unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599') LIMIT 1))
    + (SELECT count() FROM (SELECT 1 FROM hl_contexts WHERE chain = 'HL' AND dex = '' AND coin = 'BTC' LIMIT 1)) AS told,
  (SELECT uniqExact(block_number) FROM btc_read_blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS blocks
FROM btc_read_transactions
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
SETTINGS max_threads = 1
