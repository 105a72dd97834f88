-- How many blocks one chain was behind at the last heads that were seen, oldest first: from the highest block that stood then, whenever it came.
-- Grain: one row. Parameters: chain. Sort key: batches (chain, from_block, …) from the highest block on that was told before the hour and stands, as nothing below it counts; no batch is longer than 512 blocks. heads are of a week.
WITH
  now64(3, 'UTC') - INTERVAL 1 HOUR AS opening,
  rollbacks AS (SELECT p.chain AS chain, p.generation AS generation, p.from_block AS from_block, p.at AS at FROM plans AS p WHERE p.chain = {chain:String} AND p.kind = 'rollback'),
  -- A batch stands unless a rollback of a later generation reaches it: cut, the lowest block that any from one on reaches, says at the first behind the batch what all have left of it.
  cuts AS (SELECT r.chain AS chain, r.generation AS generation, min(r.from_block) OVER (ORDER BY r.generation DESC) AS cut FROM rollbacks AS r),
  early AS (SELECT r.chain AS chain, r.generation AS generation, min(r.from_block) OVER (ORDER BY r.generation DESC) AS cut FROM rollbacks AS r WHERE r.at <= opening),
  (SELECT groupArray((r.generation, r.from_block, r.at)) FROM rollbacks AS r WHERE r.at > opening) AS ends,
  (SELECT b.from_block FROM batches AS b WHERE b.chain = {chain:String} ORDER BY b.chain DESC, b.from_block DESC LIMIT 1) AS highest,
  -- Looked for near the top, and among what landed in the hour before this one: while much is fetched, nothing near the top is that old. Where neither finds one, all is read.
  (
    SELECT max((b.to_block, b.from_block)) FROM batches AS b ASOF LEFT JOIN cuts AS c ON c.chain = b.chain AND c.generation > b.generation
    WHERE b.chain = {chain:String} AND b.stage = 'enrich' AND b.from_block + 4096 > ifNull(highest, 0) AND b.finished_at <= opening - INTERVAL 1 MINUTE AND (c.generation = 0 OR b.to_block < c.cut)
  ) AS near,
  (
    SELECT max((b.to_block, b.from_block)) FROM batches AS b ASOF LEFT JOIN cuts AS c ON c.chain = b.chain AND c.generation > b.generation
    WHERE b.chain = {chain:String} AND b.stage = 'enrich' AND b.finished_at BETWEEN opening - INTERVAL 1 HOUR AND opening - INTERVAL 1 MINUTE AND (c.generation = 0 OR b.to_block < c.cut)
  ) AS before,
  if(near > before, near, before) AS base,
  -- From when to when blocks were told of up to a height: batches that passed enrich, until a rollback ended them.
  told AS (
    SELECT greatest(b.finished_at, opening) AS since, max(b.to_block) AS reached,
      arrayReduce('min', arrayPushBack(arrayMap(x -> x.3, arrayFilter(x -> x.1 > b.generation AND x.2 <= b.to_block, ends)), toDateTime64('2200-01-01 00:00:00', 3, 'UTC'))) AS until
    FROM batches AS b ASOF LEFT JOIN early AS c ON c.chain = b.chain AND c.generation > b.generation
    WHERE b.chain = {chain:String} AND b.stage = 'enrich' AND (b.from_block + 512 > base.1 OR b.from_block >= base.2) AND b.to_block >= base.1 AND (c.generation = 0 OR b.to_block < c.cut)
    GROUP BY since, until
  )
SELECT groupArray(l.lag) AS history FROM (
  SELECT h.observed_at AS observed_at, greatest(0., toFloat64(any(h.number)) - toFloat64(max(t.reached))) AS lag
  FROM (SELECT s.number AS number, s.observed_at AS observed_at FROM heads AS s WHERE s.chain = {chain:String} AND s.observed_at > opening ORDER BY s.observed_at DESC LIMIT 20) AS h
  CROSS JOIN told AS t
  WHERE t.since <= h.observed_at AND h.observed_at < t.until
  GROUP BY h.observed_at
  ORDER BY h.observed_at
) AS l
