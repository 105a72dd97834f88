-- Transfers of addresses that somebody watches at this moment. Grain: one watched side of one transfer. Parameters: chain, from, to, generation.
-- Sort keys: transfers (chain, block_number, kind, position, sub); watched_addresses is small and read whole.
INSERT INTO watched_transfers (chain, block_number, address, kind, position, sub, direction, block_hash, block_time, tx_hash, token, token_symbol, token_decimals, other, other_label, other_class, amount, token_id, value_usd, generation)
WITH watched AS (SELECT w.id FROM watched_addresses AS w FINAL WHERE w.chain = {chain:String} AND NOT w.removed)
SELECT {chain:String}, block_number, side.1, kind, position, sub, side.2, block_hash, block_time, tx_hash, token, token_symbol, token_decimals, side.3, side.4, side.5, amount, token_id, value_usd, {generation:UInt32}
FROM (
  SELECT * FROM transfers AS t
  WHERE t.chain = {chain:String} AND t.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND t.generation = {generation:UInt32} AND (t.from_address IN watched OR t.to_address IN watched) AND t.from_address != t.to_address AND t.amount > 0
)
ARRAY JOIN [(to_address, 'in', from_address, from_label, from_class), (from_address, 'out', to_address, to_label, to_class)] AS side
WHERE side.1 IN watched
ORDER BY block_number, side.1, kind, position, sub
