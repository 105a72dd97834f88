-- The newest transactions that moved value of one address. Grain: one transaction. Parameters: chain, address (hex without 0x), limit.
-- Sort key: address_transfers (chain, address, block_number, …), read in reverse.
SELECT toFloat64(a.block_number) AS block, lower(hex(a.tx_hash)) AS hash
FROM address_transfers AS a
WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.kind != 'withdrawal'
ORDER BY a.chain DESC, a.address DESC, a.block_number DESC
LIMIT 1 BY a.block_number, a.tx_hash
LIMIT {limit:UInt32}
