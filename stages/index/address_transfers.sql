-- Every transfer twice, once for each side, in the order of addresses. Grain: one side of one transfer. Parameters: chain, from, to, generation.
-- Sort key of transfers: (chain, block_number, kind, position, sub). Rows leave in that order, so a retry sends the same blocks of rows;
-- sorting by address is left to the insert, which does it anyway.
INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation, tx_index)
SELECT {chain:String}, side.1 AS address, block_number, kind, position, sub, side.3 AS direction, block_time, tx_hash, token, side.2, amount, token_id, value_usd, {generation:UInt32}, tx_index
FROM (
  SELECT block_number, kind, position, sub, block_time, tx_hash, token, from_address, to_address, amount, token_id, value_usd, tx_index FROM transfers
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  ORDER BY chain, block_number, kind, position, sub
)
ARRAY JOIN [(to_address, from_address, 'in'), (from_address, to_address, 'out')] AS side
