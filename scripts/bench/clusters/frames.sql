-- The transactions of what spendings.sql and payments.sql made. Grain: one transaction. Parameters: from and to (heights).
INSERT INTO btc_transactions (chain, block_number, tx_index, block_hash, txid, coinbase, input_count, output_count, generation)
SELECT 'BTC', block_number, tx_index, any(i.block_hash), any(i.txid), false, count(), 2, 0
FROM btc_inputs AS i WHERE i.chain = 'BTC' AND i.block_number BETWEEN {from:UInt64} AND {to:UInt64} GROUP BY block_number, tx_index
