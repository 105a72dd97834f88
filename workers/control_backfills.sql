-- Backfills that were asked for, newest first, below a position; of each how many of its blocks have passed every stage, and how many lie in dead letters that stand (standing_letters): what nobody wants any more is given up by nobody.
-- Grain: one request. Parameters: before (ISO time) and before_id (the position), limit, id ('': any). Requests and letters are few; of batches those within the range of the page are read.
WITH page AS (
  SELECT t.chain AS chain, t.id AS id, t.from_block AS from_block, t.to_block AS to_block, t.requested_by AS requested_by, t.requested_at AS requested_at FROM targets AS t
  WHERE t.kind = 'backfill' AND ({id:String} = '' OR t.id = {id:String}) AND (t.requested_at, t.id) < (parseDateTime64BestEffort({before:String}, 3, 'UTC'), {before_id:String})
  ORDER BY t.requested_at DESC, t.id DESC LIMIT {limit:UInt32}
)
SELECT p.chain AS chain, p.id AS id, p.from_block AS from_block, p.to_block AS to_block, p.requested_by AS requested_by, p.requested_at AS requested_at,
  toFloat64(ifNull(i.blocks, 0)) AS indexed, toFloat64(ifNull(g.blocks, 0)) AS given_up, w.by AS withdrawn_by, if(w.id = '', NULL, toNullable(w.at)) AS withdrawn_at
FROM page AS p
LEFT JOIN (SELECT chain, id, argMin(requested_by, requested_at) AS by, min(requested_at) AS at FROM targets WHERE kind = 'withdrawn' GROUP BY chain, id) AS w ON w.chain = p.chain AND w.id = p.id
LEFT JOIN (
  SELECT q.id AS id, sum(least(l.to_block, q.to_block) - greatest(l.from_block, q.from_block) + 1) AS blocks
  FROM page AS q INNER JOIN live_batches AS l ON l.chain = q.chain
  WHERE l.from_block <= q.to_block AND l.to_block >= q.from_block AND (l.chain, l.from_block, l.to_block, l.hash, l.generation) IN (
    SELECT chain, from_block, to_block, hash, generation FROM batches WHERE stage = 'alert' AND from_block <= (SELECT max(to_block) FROM page) AND to_block >= (SELECT min(from_block) FROM page))
  GROUP BY q.id
) AS i ON i.id = p.id
LEFT JOIN (
  SELECT q.id AS id, sum(least(d.to_block, q.to_block) - greatest(d.from_block, q.from_block) + 1) AS blocks
  FROM page AS q INNER JOIN (SELECT DISTINCT s.chain AS chain, s.from_block AS from_block, s.to_block AS to_block FROM standing_letters AS s) AS d ON d.chain = q.chain
  WHERE d.from_block <= q.to_block AND d.to_block >= q.from_block
  GROUP BY q.id
) AS g ON g.id = p.id
ORDER BY p.requested_at DESC, p.id DESC
