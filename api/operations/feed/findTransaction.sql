-- The height of one transaction.
-- Grain: one transaction. Parameters: chain, tx (hex without 0x). Sort key: none; the bloom filter on tx_hash finds the granule.
SELECT toFloat64(block_number) AS block_number
FROM transactions
WHERE chain = {chain:String} AND tx_hash = toFixedString(unhex({tx:String}), 32)
LIMIT 1
