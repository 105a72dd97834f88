-- Dead letters that stand are found by the batches of letters: of plans and batches all were read to find what stands of a handful, which took half a minute for a year of a chain.

-- Dead letters that stand: whose batch is live and has not landed after all, and those of stretches that no node has (without a hash) and somebody still wants. Grain: one job.
-- floor: of its batch, 0 where there is none. Letters are few and read whole; of batches those at their blocks are read by the sort key, of plans by the index of from_block, and all its rollbacks.
CREATE OR REPLACE VIEW standing_letters AS
WITH (SELECT groupArray((toString(w.chain), w.from_block, w.to_block)) FROM wanted AS w) AS wishes
SELECT d.id AS id, d.chain AS chain, d.stage AS stage, d.from_block AS from_block, d.to_block AS to_block, d.hash AS hash, d.generation AS generation,
  d.code AS code, d.cause AS cause, d.endpoint AS endpoint, d.attempts AS attempts, d.first_at AS first_at, d.at AS at, l.floor AS floor
FROM (SELECT * FROM dead_letters FINAL WHERE state = 'dead') AS d
LEFT JOIN (
  SELECT v.chain AS chain, v.from_block AS from_block, v.to_block AS to_block, v.hash AS hash, v.generation AS generation, v.floor AS floor FROM live_batches AS v
  WHERE (v.chain, v.from_block) IN (SELECT e.chain, e.from_block FROM dead_letters AS e FINAL WHERE e.state = 'dead' AND e.hash != '')
) AS l ON l.chain = d.chain AND l.from_block = d.from_block AND l.to_block = d.to_block AND l.hash = d.hash AND l.generation = d.generation
WHERE if(d.hash = '', arrayExists(one -> one.1 = d.chain AND one.2 <= d.to_block AND one.3 >= d.from_block, wishes), l.hash != '')
  AND (d.chain, d.stage, d.from_block, d.to_block, d.hash, d.generation) NOT IN (
    SELECT b.chain, b.stage, b.from_block, b.to_block, b.hash, b.generation FROM batches AS b
    WHERE (b.chain, b.from_block) IN (SELECT f.chain, f.from_block FROM dead_letters AS f FINAL WHERE f.state = 'dead'));
