-- What is in the store of every chain: bounds and age of its blocks, blocks without traces, and blocks that are wanted, lie between
-- landed batches and have not been enriched; inputs that spend what is not indexed (Bitcoin).
-- Grain: one chain with blocks. Parameters: venues, which have no blocks. Sort key: blocks (chain, block_number); batches (chain, from_block).
WITH landed AS (
  SELECT l.chain AS chain, l.from_block AS from_block, l.to_block AS to_block,
    toUInt64(lagInFrame(l.to_block + 1, 1, l.from_block) OVER (PARTITION BY l.chain ORDER BY l.from_block ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS expected
  FROM live_batches AS l
  INNER JOIN (SELECT chain, from_block, to_block, hash, generation FROM batches WHERE stage = 'enrich' AND chain NOT IN {venues:Array(String)}) AS b
    ON b.chain = l.chain AND b.from_block = l.from_block AND b.to_block = l.to_block AND b.hash = l.hash AND b.generation = l.generation
  WHERE l.chain NOT IN {venues:Array(String)}
), holes AS (
  SELECT h.chain AS chain, greatest(h.expected, t.from_block) AS low, least(h.from_block - 1, t.to_block) AS high
  FROM landed AS h INNER JOIN wanted AS t ON t.chain = h.chain
  WHERE h.from_block > h.expected AND t.from_block <= h.from_block - 1 AND t.to_block >= h.expected
)
SELECT b.chain AS chain, toFloat64(b.newest) AS newest, toFloat64(b.oldest) AS oldest, toFloat64(b.blocks) AS blocks, b.newest_time AS newest_time,
  toFloat64(b.untraced) AS untraced, toFloat64(b.untraced_from) AS untraced_from, toFloat64(b.untraced_to) AS untraced_to,
  toFloat64(ifNull(g.missing, 0)) AS missing, toFloat64(ifNull(g.first_missing, 0)) AS missing_from, toFloat64(ifNull(g.last_missing, 0)) AS missing_to,
  toFloat64(u.unresolved) AS unresolved
FROM (
  SELECT chain, max(block_number) AS newest, min(block_number) AS oldest, count() AS blocks, max(block_time) AS newest_time, countIf(NOT internal_complete) AS untraced,
    minIf(block_number, NOT internal_complete) AS untraced_from, maxIf(block_number, NOT internal_complete) AS untraced_to
  FROM blocks GROUP BY chain
) AS b
LEFT JOIN (
  SELECT chain, sum(high - low + 1) AS missing, min(low) AS first_missing, max(high) AS last_missing FROM (SELECT DISTINCT chain, low, high FROM holes) GROUP BY chain
) AS g ON g.chain = b.chain
LEFT JOIN (SELECT chain, sum(unresolved_inputs) AS unresolved FROM btc_blocks GROUP BY chain) AS u ON u.chain = b.chain
-- Nearly all of it is planning: what prepares joins for many rows costs half as much again.
SETTINGS max_threads = 1, join_algorithm = 'hash', enable_join_runtime_filters = 0
