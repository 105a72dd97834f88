-- How many transactions of a block of Bitcoin stand as flows: they land last, so all are there once these are. Grain: one block. Parameters: chain, at. Sort key: btc_flows (chain, block_number).
SELECT concat('0x', lower(hex(block_hash))) AS hash, toFloat64(count()) AS rows
FROM btc_flows WHERE chain = {chain:String} AND block_number = {at:UInt64} GROUP BY block_hash
SETTINGS max_threads = 1
