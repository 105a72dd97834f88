-- Stretches of blocks that were ingested, in batches that are live, and about which no good answer is kept: answers go after 30 days (schemas/clickhouse/0003_raw_payloads.sql).
-- Grain: one stretch without a gap, lowest first. Parameters: chain, by_generation (0 for a venue, whose answers are of no generation).
-- Sort keys: plans by chain, batches (chain, from_block, stage, generation), raw_payloads (chain, kind, number).
SELECT min(s.number) AS from_block, max(s.number) AS to_block FROM (
  SELECT w.number AS number, toInt64(w.number) - toInt64(row_number() OVER (ORDER BY w.number)) AS stretch
  FROM (
    SELECT arrayJoin(range(l.from_block, l.to_block + 1)) AS number, if({by_generation:UInt8} = 1, l.generation, 0) AS generation FROM live_batches AS l
    WHERE l.chain = {chain:String} AND (l.from_block, l.generation) IN (SELECT b.from_block, b.generation FROM batches AS b WHERE b.chain = {chain:String} AND b.stage = 'ingest')
  ) AS w
  WHERE (w.number, w.generation) NOT IN (
    SELECT r.number, if({by_generation:UInt8} = 1, r.generation, 0) FROM raw_payloads AS r WHERE r.chain = {chain:String} AND r.problem = ''
  )
) AS s
GROUP BY s.stretch
ORDER BY from_block
