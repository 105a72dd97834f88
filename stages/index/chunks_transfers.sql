-- Notable transfers in one English line each: whale_transfer (from $100,000), exchange_flow (from $50,000, into or out of an exchange),
-- mixer (any of the coin or a listed token: one that is not listed says what it likes of anybody). Dollars of one that is not listed are told as what its own pools say. Grain: one transfer under one topic. Parameters: chain, from, to, generation.
-- Sort key of transfers: (chain, block_number, kind, position, sub). The view's texts hold labels and symbols of our own lists only.
INSERT INTO chunks (chain, block_number, topic, chunk_id, block_hash, block_time, tx_hash, position, text, value_usd, addresses, generation)
SELECT {chain:String}, block_number, topic,
  SHA256(concat({chain:String}, '|', topic, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(kind), ':', toString(position), ':', toString(sub))),
  block_hash, block_time, tx_hash, position,
  concat(multiIf(topic = 'whale_transfer', 'Large transfer: ', topic = 'exchange_flow', 'Exchange flow: ', 'Mixer use: '), quantity, ' ', asset, ' (', dollars, ') moved from ', sender, ' to ', receiver,
    multiIf(topic = 'mixer', if(to_class = 'mixer', ', into the mixer', ', out of the mixer'), topic = 'exchange_flow', if(to_class = 'exchange', ', into the exchange', ', out of the exchange'), ''),
    ', in transaction 0x', lower(hex(tx_hash)), ' of block ', toString(block_number), '.'),
  value_usd, [sender_hex, receiver_hex], {generation:UInt32}
FROM (
  SELECT *, arrayJoin(arrayFilter(t -> t != '', [
    if(value_usd >= 100000 AND from_address != to_address, 'whale_transfer', ''),
    if(value_usd >= 50000 AND (from_class = 'exchange') != (to_class = 'exchange'), 'exchange_flow', ''),
    if(amount > 0 AND (from_class = 'mixer') != (to_class = 'mixer') AND known, 'mixer', '')])) AS topic
  FROM told_transfers
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND kind IN ('native', 'internal', 'erc20')
    AND (value_usd >= 50000 OR (amount > 0 AND (from_class = 'mixer' OR to_class = 'mixer')))
)
ORDER BY block_number, topic, kind, position, sub
