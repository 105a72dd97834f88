-- The block of one transaction of Bitcoin; of a txid that two blocks have, the later.
-- Grain: one row, none where it is not indexed, or enrich has not come to its block. Parameters: txid (hex). Sort keys: btc_blocks (chain, block_number), btc_txids (chain, prefix), btc_transactions (chain, block_number, tx_index).
SELECT toFloat64(t.block_number) AS block_number
FROM btc_transactions AS t
WHERE t.chain = 'BTC' AND t.txid = toFixedString(unhex({txid:String}), 32)
  AND (t.block_number, t.tx_index) IN (SELECT x.block_number, x.tx_index FROM btc_txids AS x WHERE x.chain = 'BTC' AND x.prefix = reinterpretAsUInt64(toFixedString(unhex({txid:String}), 32)))
  AND t.block_number IN (SELECT b.block_number FROM btc_blocks AS b WHERE b.chain = 'BTC' AND b.block_number IN (SELECT x.block_number FROM btc_txids AS x WHERE x.chain = 'BTC' AND x.prefix = reinterpretAsUInt64(toFixedString(unhex({txid:String}), 32))))
ORDER BY t.block_number DESC
LIMIT 1
