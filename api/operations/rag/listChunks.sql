-- Chunks below a sort position, newest first within a chain, with the time their batch was indexed.
-- Grain: one chunk. Parameters: chain, topic ('': all), to_chain ('': from the start), to_block, to_topic, to_position, to_id (the position, exclusive; to_block repeats the tuple's bound for the key), limit, offset.
-- Sort key: (chain, block_number, topic, position, chunk_id), read in reverse; batches (chain, from_block): no batch is longer than 10,000 blocks. What an offset skips is read; behind all chunks of a chain, which parts count until a rollback deleted some, nothing is. The line that ends in "offset" is left out where there is none.
WITH
  page AS (
    SELECT chain, block_number, topic, chunk_id, block_hash, block_time, tx_hash, position, text
    FROM chunks
    WHERE ({chain:String} = '' OR chain = {chain:String}) AND ({topic:String} = '' OR topic = {topic:String})
      AND ({chain:String} = '' OR block_number <= {to_block:UInt64})
      AND ({to_chain:String} = '' OR (chain, block_number, topic, position, chunk_id) < ({to_chain:String}, {to_block:UInt64}, {to_topic:String}, {to_position:UInt32}, toFixedString(unhex({to_id:String}), 32)))
      AND {offset:UInt64} < (SELECT count() FROM chunks AS n WHERE {chain:String} = '' OR n.chain = {chain:String}) -- offset
    ORDER BY chain DESC, block_number DESC, topic DESC, position DESC, chunk_id DESC
    LIMIT {limit:UInt32} OFFSET {offset:UInt64}
  ),
  (SELECT (min(block_number), max(block_number)) FROM page) AS span
SELECT toString(p.chain) AS chain, toFloat64(p.block_number) AS block_height, toString(p.topic) AS topic, lower(hex(p.chunk_id)) AS chunk_id, p.position AS position, p.text AS text_preview,
  concat('0x', lower(hex(p.block_hash))) AS block_hash, p.block_time AS block_time, concat('0x', lower(hex(p.tx_hash))) AS tx_hash, if(b.to_block >= p.block_number, b.finished, NULL) AS indexed_at
FROM page AS p
ASOF LEFT JOIN (
  SELECT chain, from_block, argMax(to_block, finished_at) AS to_block, toNullable(max(finished_at)) AS finished
  FROM batches WHERE stage = 'index' AND from_block + 10000 >= span.1 AND from_block <= span.2
  GROUP BY chain, from_block
) AS b ON b.chain = p.chain AND b.from_block <= p.block_number
ORDER BY p.chain DESC, p.block_number DESC, p.topic DESC, p.position DESC, p.chunk_id DESC
