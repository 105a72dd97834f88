-- Blocks that are wanted, lie between enriched batches and have not been enriched; one that several want counts once. Grain: one chain that lacks some; it is asked where chainCoverage.sql finds one that is not whole.
-- Parameters: venues, which have no blocks. Sort key: batches (chain, from_block, …).
WITH (SELECT groupArray((chain, generation, from_block)) FROM plans WHERE kind = 'rollback' AND chain NOT IN {venues:Array(String)}) AS rollbacks,
landed AS (
  SELECT l.chain AS chain, l.from_block AS from_block,
    toUInt64(lagInFrame(l.to_block + 1, 1, l.from_block) OVER (PARTITION BY l.chain ORDER BY l.from_block ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS expected
  FROM batches AS l
  WHERE l.stage = 'enrich' AND l.chain NOT IN {venues:Array(String)} AND NOT arrayExists(r -> r.1 = l.chain AND r.2 > l.generation AND r.3 <= l.to_block, rollbacks)
), holes AS (
  SELECT h.chain AS chain, greatest(h.expected, t.from_block) AS low, least(h.from_block - 1, t.to_block) AS high
  FROM landed AS h INNER JOIN wanted AS t ON t.chain = h.chain
  WHERE h.from_block > h.expected AND t.from_block <= h.from_block - 1 AND t.to_block >= h.expected
)
SELECT chain, toFloat64(sum(beyond - least(beyond, greatest(low, reached)))) AS missing, toFloat64(min(low)) AS missing_from, toFloat64(max(beyond) - 1) AS missing_to FROM (
  SELECT chain, low, high + 1 AS beyond, max(high + 1) OVER (PARTITION BY chain ORDER BY low, high ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached FROM holes
) GROUP BY chain
SETTINGS max_threads = 1, join_algorithm = 'hash', enable_join_runtime_filters = 0
