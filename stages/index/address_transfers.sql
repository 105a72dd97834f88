-- Every transfer twice, once for each side, in the order of addresses. Grain: one side of one transfer. Parameters: chain, from, to, generation.
-- Sort key of transfers: (chain, block_number, kind, position, sub).
INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation)
SELECT {chain:String}, side.1 AS address, block_number, kind, position, sub, side.3 AS direction, block_time, tx_hash, token, side.2, amount, token_id, value_usd, {generation:UInt32}
FROM transfers
ARRAY JOIN [(to_address, from_address, 'in'), (from_address, to_address, 'out')] AS side
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
ORDER BY address, block_number, kind, position, sub, direction
