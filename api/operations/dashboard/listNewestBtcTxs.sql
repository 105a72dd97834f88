-- The newest transactions of Bitcoin below a sort position. Grain: one transaction. Parameters: chain, block and index (the position; block <= block repeats the
-- tuple's bound for the key), limit. None above the highest block that enrich has come to. Sort keys: btc_transactions (chain, block_number, tx_index), read in reverse; btc_blocks (chain, block_number).
SELECT toFloat64(t.block_number) AS block, lower(hex(t.txid)) AS hash
FROM btc_transactions AS t
WHERE t.chain = {chain:String} AND t.block_number <= {block:UInt64} AND t.block_number <= (SELECT maxOrNull(b.block_number) FROM btc_blocks AS b WHERE b.chain = {chain:String}) AND (t.block_number, t.tx_index) < ({block:UInt64}, {index:UInt32})
ORDER BY t.chain DESC, t.block_number DESC, t.tx_index DESC
LIMIT {limit:UInt32}
