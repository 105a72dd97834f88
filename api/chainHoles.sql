-- Blocks that are wanted, lie between enriched batches and have not been enriched; and those that were and have not passed index, where others above them have. One that several want counts once.
-- Grain: one chain that lacks some; it is asked where chainCoverage.sql finds one that is not whole.
-- Parameters: venues, which have no blocks; chains and for each as many of its newest blocks as may wait for index without being missed (tolerated). Sort key: batches (chain, from_block, …).
-- A batch stands unless a rollback of a later generation reaches it, as chainCoverage.sql has it.
WITH cuts AS (SELECT r.chain AS chain, r.generation AS generation, min(r.from_block) OVER (PARTITION BY r.chain ORDER BY r.generation DESC) AS cut FROM plans AS r WHERE r.kind = 'rollback' AND r.chain NOT IN {venues:Array(String)}),
landed AS (
  SELECT l.chain AS chain, l.from_block AS from_block,
    toUInt64(lagInFrame(l.to_block + 1, 1, l.from_block) OVER (PARTITION BY l.chain ORDER BY l.from_block ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS expected
  FROM batches AS l ASOF LEFT JOIN cuts AS c ON c.chain = l.chain AND c.generation > l.generation
  WHERE l.stage = 'enrich' AND l.chain NOT IN {venues:Array(String)} AND (c.generation = 0 OR l.to_block < c.cut)
), passed AS (
  SELECT p.chain AS chain, p.from_block AS low, p.to_block AS high, p.indexed AS indexed, max(p.to_block) OVER (PARTITION BY p.chain) AS enriched_to, max(if(p.indexed, p.to_block, 0)) OVER (PARTITION BY p.chain) AS indexed_to
  FROM (
    SELECT l.chain AS chain, l.from_block AS from_block, l.to_block AS to_block, countIf(l.stage = 'index') > 0 AS indexed
    FROM batches AS l ASOF LEFT JOIN cuts AS c ON c.chain = l.chain AND c.generation > l.generation
    WHERE l.stage IN ('enrich', 'index') AND l.chain NOT IN {venues:Array(String)} AND (c.generation = 0 OR l.to_block < c.cut)
    GROUP BY l.chain, l.from_block, l.to_block
  ) AS p
), holes AS (
  SELECT h.chain AS chain, toInt64(greatest(h.expected, t.from_block)) AS low, toInt64(least(h.from_block - 1, t.to_block)) AS high
  FROM landed AS h INNER JOIN wanted AS t ON t.chain = h.chain
  WHERE h.from_block > h.expected AND t.from_block <= h.from_block - 1 AND t.to_block >= h.expected
  UNION ALL
  SELECT p.chain, toInt64(p.low), toInt64(p.high) FROM passed AS p
  WHERE NOT p.indexed AND p.high < p.indexed_to AND p.high + transform(toString(p.chain), {chains:Array(String)}, {tolerated:Array(UInt64)}, toUInt64(0)) <= p.enriched_to
)
SELECT chain, toFloat64(sum(beyond - least(beyond, greatest(low, reached)))) AS missing, toFloat64(min(low)) AS missing_from, toFloat64(max(beyond) - 1) AS missing_to FROM (
  SELECT chain, low, high + 1 AS beyond, max(high + 1) OVER (PARTITION BY chain ORDER BY low, high ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached FROM holes
) GROUP BY chain
SETTINGS max_threads = 1, join_algorithm = 'hash', enable_join_runtime_filters = 0
