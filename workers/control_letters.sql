-- Dead letters below a position whose batch is live and has not landed after all, and those of stretches that no node has (without a hash) and somebody still wants, newest first.
-- letters and oldest are of all of them. Grain: one job. Parameters: before (ISO time) and before_id (the position), limit.
WITH (SELECT groupArray((toString(chain), from_block, to_block)) FROM wanted) AS wishes
SELECT * FROM (
  SELECT d.id AS id, d.chain AS chain, d.stage AS stage, d.from_block AS from_block, d.to_block AS to_block, d.hash AS hash, d.generation AS generation,
    d.code AS code, d.cause AS cause, d.endpoint AS endpoint, d.attempts AS attempts, d.first_at AS first_at, toDateTime64(d.at, 3, 'UTC') AS at, l.floor AS floor,
    count() OVER () AS letters, dateDiff('second', min(d.first_at) OVER (), now64(3)) AS oldest
  FROM (SELECT * FROM dead_letters FINAL WHERE state = 'dead') AS d
  LEFT JOIN live_batches AS l ON l.chain = d.chain AND l.from_block = d.from_block AND l.to_block = d.to_block AND l.hash = d.hash AND l.generation = d.generation
  WHERE if(d.hash = '', arrayExists(one -> one.1 = d.chain AND one.2 <= d.to_block AND one.3 >= d.from_block, wishes), l.hash != '') AND (d.chain, d.stage, d.from_block, d.to_block, d.hash, d.generation) NOT IN (SELECT chain, stage, from_block, to_block, hash, generation FROM batches)
)
WHERE (at, id) < (parseDateTime64BestEffort({before:String}, 6, 'UTC'), {before_id:String})
ORDER BY at DESC, id DESC LIMIT {limit:UInt32}
