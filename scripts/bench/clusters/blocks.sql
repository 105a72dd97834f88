-- Their blocks. Grain: one block. Parameters: from and to (heights).
INSERT INTO btc_blocks (chain, block_number, block_hash, tx_count, input_count, generation)
SELECT 'BTC', block_number, any(t.block_hash), count(), sum(t.input_count), 0
FROM btc_transactions AS t WHERE t.chain = 'BTC' AND t.block_number BETWEEN {from:UInt64} AND {to:UInt64} GROUP BY block_number
