-- Whether a pool is known is looked up: of one that nobody saw the column of pools was read whole. A piece holds some hundred pools, so that the index is small beside it.
ALTER TABLE swaps ADD INDEX IF NOT EXISTS by_pool pool TYPE bloom_filter(0.01) GRANULARITY 1;
ALTER TABLE swaps MATERIALIZE INDEX by_pool;

-- Dead letters that stand: whose batch is live and has not landed after all, and those of stretches that no node has (without a hash) and somebody still wants. Grain: one job.
-- floor: of its batch, 0 where there is none. Letters are few; of plans and batches all are read.
CREATE VIEW IF NOT EXISTS standing_letters AS
WITH (SELECT groupArray((toString(w.chain), w.from_block, w.to_block)) FROM wanted AS w) AS wishes
SELECT d.id AS id, d.chain AS chain, d.stage AS stage, d.from_block AS from_block, d.to_block AS to_block, d.hash AS hash, d.generation AS generation,
  d.code AS code, d.cause AS cause, d.endpoint AS endpoint, d.attempts AS attempts, d.first_at AS first_at, d.at AS at, l.floor AS floor
FROM (SELECT * FROM dead_letters FINAL WHERE state = 'dead') AS d
LEFT JOIN live_batches AS l ON l.chain = d.chain AND l.from_block = d.from_block AND l.to_block = d.to_block AND l.hash = d.hash AND l.generation = d.generation
WHERE if(d.hash = '', arrayExists(one -> one.1 = d.chain AND one.2 <= d.to_block AND one.3 >= d.from_block, wishes), l.hash != '')
  AND (d.chain, d.stage, d.from_block, d.to_block, d.hash, d.generation) NOT IN (SELECT chain, stage, from_block, to_block, hash, generation FROM batches);
