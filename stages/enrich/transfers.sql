-- Movements with what was known of them then: symbol, value in dollars, labels of both sides. Grain: one movement.
-- Parameters: chain, from, to, floor, generation. Sort keys: movements (chain, block_number, kind, position, sub), prices (chain, token, block_number).
-- value_usd is null unless both the decimals and a price are known; the price is the newest at or below the block and within the hour.
INSERT INTO transfers (chain, block_number, kind, position, sub, block_hash, block_time, tx_index, tx_hash, token, token_symbol, token_decimals,
  from_address, to_address, amount, token_id, value_usd, price_method, from_label, from_entity, from_class, to_label, to_entity, to_class, generation)
WITH
  greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AS lowest,
  (SELECT min(block_time) FROM blocks WHERE chain = {chain:String} AND block_number = {from:UInt64} AND generation = {generation:UInt32}) AS starts,
  priced AS (
    SELECT token, block_number, block_time, usd, method FROM prices
    WHERE chain = {chain:String} AND block_number BETWEEN lowest AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32}) AND block_time >= starts - INTERVAL 3600 SECOND
      AND token IN (SELECT token FROM movements WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND kind NOT IN ('erc721', 'erc1155'))
  )
SELECT {chain:String}, block_number, kind, position, sub, block_hash, block_time, tx_index, tx_hash, token, described.1, described.2,
  from_address, to_address, amount, token_id,
  if(valued, toFloat64(amount) / pow(10, assumeNotNull(described.2)) * usd, NULL), if(valued, method, ''),
  sender.1, sender.2, sender.3, receiver.1, receiver.2, receiver.3, {generation:UInt32}
FROM (
  SELECT m.*, p.usd AS usd, p.method AS method,
    dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, concat('0x', lower(hex(m.token))))) AS described,
    dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(m.from_address))))) AS sender,
    dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(m.to_address))))) AS receiver,
    m.kind NOT IN ('erc721', 'erc1155') AND described.2 IS NOT NULL AND p.usd > 0 AND p.block_time >= m.block_time - INTERVAL 3600 SECOND AS valued
  FROM movements AS m
  ASOF LEFT JOIN priced AS p ON p.token = m.token AND p.block_number <= m.block_number
  WHERE m.chain = {chain:String} AND m.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND m.generation = {generation:UInt32}
)
ORDER BY block_number, kind, position, sub
