-- Segments of a span that their lists do not stand for: the span cuts them, nothing of value moved in them, they changed since they were indexed, or their
-- lists were written when payments to oneself were counted (counted_as 1).
-- Grain: one row. Parameters: chain, first, newest, segmentBlocks. Sort keys: top_segments (chain, segment), batches (chain, from_block, …).
SELECT groupArray(s.number) AS cut
FROM numbers(intDiv({first:UInt64}, {segmentBlocks:UInt64}), intDiv({newest:UInt64}, {segmentBlocks:UInt64}) - intDiv({first:UInt64}, {segmentBlocks:UInt64}) + 1) AS s
WHERE s.number * {segmentBlocks:UInt64} < {first:UInt64} OR (s.number + 1) * {segmentBlocks:UInt64} > {newest:UInt64} + 1 OR s.number NOT IN (
  SELECT t.segment FROM top_segments AS t FINAL
  LEFT JOIN (
    SELECT arrayJoin(range(intDiv(b.from_block, {segmentBlocks:UInt64}), intDiv(b.to_block, {segmentBlocks:UInt64}) + 1)) AS segment, countIf(b.stage = 'enrich') AS enriched, countIf(b.stage = 'index') AS indexed
    FROM batches AS b
    WHERE b.chain = {chain:String} AND b.stage IN ('enrich', 'index') AND b.from_block + 512 > {first:UInt64} AND b.from_block <= {newest:UInt64}
    GROUP BY segment
  ) AS due ON due.segment = t.segment
  WHERE t.chain = {chain:String} AND t.counted_as = 2 AND t.segment BETWEEN intDiv({first:UInt64}, {segmentBlocks:UInt64}) AND intDiv({newest:UInt64}, {segmentBlocks:UInt64})
    AND t.version >= (SELECT max(r.epoch) FROM rollbacks_applied AS r WHERE r.chain = {chain:String}) * 4294967296 + due.enriched AND due.indexed >= due.enriched
)
