-- Which transactions of some blocks are CoinJoins, as sure as 50 and more: who sends what comes out of them is not known.
-- Grain: one transaction. Parameters: blocks. Sort key: btc_coinjoins (chain, block_number, tx_index).
SELECT DISTINCT concat('0x', lower(hex(txid))) AS tx_hash FROM btc_coinjoins WHERE chain = 'BTC' AND block_number IN {blocks:Array(UInt64)} AND confidence >= 50
