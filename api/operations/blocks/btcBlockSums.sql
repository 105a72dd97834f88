-- What the transactions of a block of Bitcoin add up to. rows: how many are there yet, each once all its inputs were looked for. Fees in satoshis, null while an input is unresolved.
-- Grain: one block of one generation: a late writer's stands apart. Parameters: chain, at. Sort key: btc_transactions (chain, block_number, tx_index).
SELECT concat('0x', lower(hex(block_hash))) AS hash, generation, toFloat64(count()) AS rows, toFloat64(sum(t.unresolved_inputs)) AS unresolved_inputs, if(unresolved_inputs > 0, NULL, toNullable(toString(sum(ifNull(t.fee, 0))))) AS fees
FROM btc_transactions AS t WHERE t.chain = {chain:String} AND t.block_number = {at:UInt64} GROUP BY t.block_hash, t.generation
SETTINGS max_threads = 1
