-- Narrative events of one block, the most valuable first.
-- Grain: one event. Parameters: chain, block, limit. Sort key: (chain, block_number).
SELECT lower(hex(chunk_id)) AS chunk_id, topic, concat('0x', lower(hex(tx_hash))) AS tx_hash, position, text, value_usd
FROM chunks
WHERE chain = {chain:String} AND block_number = {block:UInt64}
ORDER BY value_usd DESC NULLS LAST, topic, position, chunk_id
LIMIT {limit:UInt32}
