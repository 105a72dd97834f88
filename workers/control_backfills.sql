-- Backfills that were asked for, newest first, below a position; of each how many of its blocks have passed every stage, and how many lie in dead letters that stand (standing_letters): what nobody wants any more is given up by nobody.
-- held: those that wait above such a letter until it is redriven, as enrich goes up block by block: from a batch that gave up at enrich or before it, up to the next that has landed enrich, or begins a stretch of its own (its floor), or up to what no node has.
-- What is not planned is held with what of the request lies below it; where its first block is not planned, or begins a stretch, nothing below the request holds it.
-- Grain: one request. Parameters: before (ISO time) and before_id (the position), limit, id ('': any), ordered (the stage that goes up block by block, and those before it). Requests and letters are few; of batches those within the range of the page are read, and those that landed enrich on a chain with such letters.
WITH page AS (
  SELECT t.chain AS chain, t.id AS id, t.from_block AS from_block, t.to_block AS to_block, t.requested_by AS requested_by, t.requested_at AS requested_at FROM targets AS t
  WHERE t.kind = 'backfill' AND ({id:String} = '' OR t.id = {id:String}) AND (t.requested_at, t.id) < (parseDateTime64BestEffort({before:String}, 3, 'UTC'), {before_id:String})
  ORDER BY t.requested_at DESC, t.id DESC LIMIT {limit:UInt32}
), stuck AS (
  SELECT DISTINCT toString(s.chain) AS chain, s.from_block AS from_block, s.to_block AS to_block FROM standing_letters AS s
  WHERE s.hash != '' AND s.stage IN {ordered:Array(String)} AND s.chain IN (SELECT chain FROM page)
), opening AS (
  SELECT toString(l.chain) AS chain, l.from_block AS at FROM live_batches AS l
  WHERE l.chain IN (SELECT chain FROM stuck) AND (l.from_block <= l.floor OR (l.chain, l.from_block, l.generation) IN (SELECT b.chain, b.from_block, b.generation FROM batches AS b WHERE b.stage = {ordered:Array(String)}[-1] AND b.chain IN (SELECT chain FROM stuck)))
  UNION ALL
  SELECT toString(d.chain) AS chain, d.from_block AS at FROM dead_letters AS d FINAL WHERE d.state = 'dead' AND d.hash = '' AND d.chain IN (SELECT chain FROM stuck)
), shut AS (
  SELECT s.chain AS chain, o.at AS until, groupArray(s.from_block) AS froms FROM stuck AS s ASOF LEFT JOIN opening AS o ON o.chain = s.chain AND o.at > s.from_block GROUP BY s.chain, o.at
)
SELECT p.chain AS chain, p.id AS id, p.from_block AS from_block, p.to_block AS to_block, p.requested_by AS requested_by, p.requested_at AS requested_at,
  toFloat64(ifNull(i.blocks, 0)) AS indexed, toFloat64(ifNull(g.blocks, 0)) AS given_up, toFloat64(ifNull(h.blocks, 0)) AS held, w.by AS withdrawn_by, if(w.id = '', NULL, toNullable(w.at)) AS withdrawn_at
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
LEFT JOIN (
  SELECT r.id AS id, sum(r.high - r.low) - sum(arraySum(arrayMap(x -> greatest(toInt64(least(x.2 + 1, toUInt64(r.high))) - toInt64(greatest(x.1, toUInt64(r.low))), 0), r.letters))) AS blocks
  FROM (
    SELECT q.id AS id, toInt64(greatest(arrayMin(arrayFilter(x -> x >= q.from_block OR c.id != '', u.froms)), q.from_block)) AS low, toInt64(if(u.until = 0, q.to_block + 1, least(u.until, q.to_block + 1))) AS high,
      (SELECT groupArray((k.from_block, k.to_block, k.chain)) FROM stuck AS k) AS all_letters, arrayFilter(x -> x.3 = q.chain, all_letters) AS letters
    FROM page AS q INNER JOIN shut AS u ON u.chain = q.chain
    LEFT JOIN (SELECT DISTINCT e.id AS id FROM page AS e INNER JOIN live_batches AS l ON l.chain = e.chain WHERE l.from_block <= e.from_block AND l.to_block >= e.from_block AND (l.from_block > l.floor OR l.from_block < e.from_block)) AS c ON c.id = q.id
    WHERE arrayExists(x -> x >= q.from_block OR c.id != '', u.froms)
  ) AS r
  WHERE r.high > r.low
  GROUP BY r.id
) AS h ON h.id = p.id
ORDER BY p.requested_at DESC, p.id DESC
