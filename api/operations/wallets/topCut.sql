-- Segments of a span that their lists do not stand for: the span cuts them, nothing of value moved in them, they changed since they were indexed, or their
-- lists were written when payments to oneself were counted (counted_as 1).
-- A list has seen the deletions that reach its segment and every batch enriched there, deleted ones too, where its version (index/segment_versions.sql) says as many; and all that stands and is enriched is indexed.
-- Grain: one row. Parameters: chain, first, newest, segmentBlocks. Sort keys: top_segments (chain, segment), batches (chain, from_block, …); rollbacks_applied is small.
WITH
  -- Those from below the span on reach all of it.
  deletions AS (
    SELECT r.chain AS chain, greatest(r.from_block, {first:UInt64}) AS reach, max(r.generation) AS generation, max(r.epoch) AS epoch FROM rollbacks_applied AS r
    WHERE r.chain = {chain:String} AND r.step = 'deleted' AND r.from_block <= {newest:UInt64} GROUP BY chain, reach
  ),
  -- What a generation and all later ones leave: below cut. And the newest of the deletions that reach a height.
  cuts AS (SELECT d.chain AS chain, d.generation AS generation, min(d.reach) OVER (ORDER BY d.generation DESC) AS cut FROM deletions AS d),
  reached AS (SELECT d.chain AS chain, d.reach AS reach, max(d.epoch) OVER (ORDER BY d.reach) AS epoch FROM deletions AS d)
SELECT groupArray(s.number) AS cut
FROM numbers(intDiv({first:UInt64}, {segmentBlocks:UInt64}), intDiv({newest:UInt64}, {segmentBlocks:UInt64}) - intDiv({first:UInt64}, {segmentBlocks:UInt64}) + 1) AS s
WHERE s.number * {segmentBlocks:UInt64} < {first:UInt64} OR (s.number + 1) * {segmentBlocks:UInt64} > {newest:UInt64} + 1 OR s.number NOT IN (
  SELECT t.segment FROM (
    SELECT f.chain AS chain, f.segment AS segment, (f.segment + 1) * {segmentBlocks:UInt64} AS beyond, f.version AS version FROM top_segments AS f FINAL
    WHERE f.chain = {chain:String} AND f.counted_as = 2 AND f.segment BETWEEN intDiv({first:UInt64}, {segmentBlocks:UInt64}) AND intDiv({newest:UInt64}, {segmentBlocks:UInt64})
  ) AS t
  LEFT JOIN (
    SELECT arrayJoin(range(intDiv(b.from_block, {segmentBlocks:UInt64}), intDiv(b.to_block, {segmentBlocks:UInt64}) + 1)) AS segment, countIf(b.stage = 'enrich') AS enriched, countIf(b.stage = 'enrich' AND b.stands) AS wanted, countIf(b.stage = 'index' AND b.stands) AS indexed
    FROM (
      SELECT l.from_block AS from_block, l.to_block AS to_block, l.stage AS stage, (c.generation = 0 OR l.to_block < c.cut) AS stands
      FROM batches AS l ASOF LEFT JOIN cuts AS c ON c.chain = l.chain AND c.generation > l.generation
      WHERE l.chain = {chain:String} AND l.stage IN ('enrich', 'index') AND l.from_block + 512 > {first:UInt64} AND l.from_block <= {newest:UInt64}
    ) AS b
    GROUP BY segment
  ) AS due ON due.segment = t.segment
  ASOF LEFT JOIN reached AS r ON r.chain = t.chain AND r.reach < t.beyond
  WHERE intDiv(t.version, 4294967296) >= r.epoch AND t.version % 4294967296 >= due.enriched AND due.indexed >= due.wanted
)
