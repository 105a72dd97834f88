-- Movements of Bitcoin with what was known of them then: value in dollars, labels of both sides. Grain: one movement.
-- Parameters: chain, from, to, generation. Sort keys: movements (chain, block_number, kind, position, sub), prices (chain, token, block_number).
-- The price is the block's own (prices.sql); value_usd is null where it has none. from_class unresolved: an input of the transaction is not known, so the movement may be change of whoever sent it.
INSERT INTO transfers (chain, block_number, kind, position, sub, block_hash, block_time, tx_index, tx_hash, token, token_symbol, token_decimals,
  from_address, to_address, amount, token_id, value_usd, price_method, from_label, from_entity, from_class, to_label, to_entity, to_class, generation)
SELECT {chain:String}, block_number, kind, position, sub, block_hash, block_time, tx_index, tx_hash, token, 'BTC', 8, from_address, to_address, amount, token_id,
  if(usd > 0, toFloat64(amount) / 1e8 * usd, NULL), if(usd > 0, method, ''), sender.1, sender.2, sender.3, receiver.1, receiver.2, receiver.3, {generation:UInt32}
FROM (
  SELECT m.*, p.usd AS usd, p.method AS method,
    if(dictHas('label_of', ({chain:String}, concat('0x', lower(hex(m.from_address))))), dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(m.from_address))))), ('', '', if(m.kind = 'utxo' AND m.from_address = toFixedString('', 20), 'unresolved', 'unknown'))) AS sender,
    if(dictHas('label_of', ({chain:String}, concat('0x', lower(hex(m.to_address))))), dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(m.to_address))))), ('', '', 'unknown')) AS receiver
  FROM movements AS m
  LEFT JOIN (
    SELECT block_number, usd, method FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  ) AS p ON p.block_number = m.block_number
  WHERE m.chain = {chain:String} AND m.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND m.generation = {generation:UInt32}
)
ORDER BY block_number, kind, position, sub
SETTINGS max_threads = 1
