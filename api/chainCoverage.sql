-- What is in the store of every chain: bounds and age of its blocks, blocks without traces, inputs that spend what is not indexed (Bitcoin); and whether all from the
-- lowest to the highest block that was enriched is there, and indexed up to the highest that was (whole), so that chainHoles.sql has nothing to find. settled: every block that is there has passed index. worked: up to where enrich and index have come (0: no stage has landed); waiting: how far that is behind normalize.
-- Grain: one chain with blocks. Parameters: venues, which have no blocks. Sort key: blocks (chain, block_number); batches (chain, from_block).
-- A batch stands unless a rollback of a later generation reaches it (as stages/ledger/rollbacks.sql has it): cut, the lowest block that any from one on reaches, says at the first behind the batch what all have left of it. Batches that stand do not overlap; one that is noted twice is never taken for whole.
WITH cuts AS (SELECT r.chain AS chain, r.generation AS generation, min(r.from_block) OVER (PARTITION BY r.chain ORDER BY r.generation DESC) AS cut FROM plans AS r WHERE r.kind = 'rollback' AND r.chain NOT IN {venues:Array(String)})
SELECT b.chain AS chain, toFloat64(b.newest) AS newest, toFloat64(b.oldest) AS oldest, toFloat64(b.blocks) AS blocks, b.newest_time AS newest_time,
  toFloat64(b.untraced) AS untraced, toFloat64(b.untraced_from) AS untraced_from, toFloat64(b.untraced_to) AS untraced_to, toBool(w.whole) AS whole, toBool(w.once AND w.indexed = b.blocks) AS settled, toFloat64(w.worked) AS worked, toFloat64(w.waiting) AS waiting, toFloat64(u.unresolved) AS unresolved
FROM (
  SELECT chain, max(block_number) AS newest, min(block_number) AS oldest, count() AS blocks, max(block_time) AS newest_time, countIf(NOT internal_complete) AS untraced,
    minIf(block_number, NOT internal_complete) AS untraced_from, maxIf(block_number, NOT internal_complete) AS untraced_to
  FROM blocks GROUP BY chain
) AS b
LEFT JOIN (
  SELECT l.chain AS chain, uniqExactIf(l.from_block, l.stage = 'enrich') = countIf(l.stage = 'enrich') AND sumIf(l.to_block - l.from_block + 1, l.stage = 'enrich') = maxIf(l.to_block, l.stage = 'enrich') - minIf(l.from_block, l.stage = 'enrich') + 1
      AND (countIf(l.stage = 'index') = 0 OR (once AND indexed = maxIf(l.to_block, l.stage = 'index') - minIf(l.from_block, l.stage = 'enrich') + 1)) AS whole,
    uniqExactIf(l.from_block, l.stage = 'index') = countIf(l.stage = 'index') AS once, sumIf(l.to_block - l.from_block + 1, l.stage = 'index') AS indexed,
    greatest(toInt64(least(maxIf(l.to_block, l.stage = 'enrich'), maxIf(l.to_block, l.stage = 'index'))), toInt64(minIf(l.from_block, l.stage = 'normalize')) - 1) AS worked, greatest(toInt64(maxIf(l.to_block, l.stage = 'normalize')) - worked, 0) AS waiting
  FROM batches AS l ASOF LEFT JOIN cuts AS c ON c.chain = l.chain AND c.generation > l.generation
  WHERE l.stage IN ('normalize', 'enrich', 'index') AND l.chain NOT IN {venues:Array(String)} AND (c.generation = 0 OR l.to_block < c.cut)
  GROUP BY l.chain
) AS w ON w.chain = b.chain
LEFT JOIN (SELECT chain, sum(unresolved_inputs) AS unresolved FROM btc_blocks GROUP BY chain) AS u ON u.chain = b.chain
-- Nearly all of it is planning: what prepares joins for many rows costs half as much again.
SETTINGS max_threads = 1, join_algorithm = 'hash', enable_join_runtime_filters = 0
