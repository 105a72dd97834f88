-- The newest transactions of one chain below a sort position. Grain: one transaction. Parameters: chain, block and index (the position; block <= block repeats the
-- tuple's bound for the key), limit. Sort key: transactions (chain, block_number, tx_index), read in reverse.
SELECT toFloat64(t.block_number) AS block, lower(hex(t.tx_hash)) AS hash
FROM transactions AS t
WHERE t.chain = {chain:String} AND t.block_number <= {block:UInt64} AND (t.block_number, t.tx_index) < ({block:UInt64}, {index:UInt32})
ORDER BY t.chain DESC, t.block_number DESC, t.tx_index DESC
LIMIT {limit:UInt32}
