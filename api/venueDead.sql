-- Batches of a venue that gave up at one of some stages, are live and have not landed after all: what was heard in them is not worked out there. Grain: one row, none where there are none.
-- Parameters: chain, stages: those that all answers stand on, or those that make its alerts.
-- Asked where there are letters: live_batches reads the plans. Sort keys: batches and plans by chain; dead_letters is small.
SELECT toFloat64(count()) AS batches, toFloat64(min(d.from_block)) AS from, toFloat64(max(d.to_block)) AS to, arraySort(groupUniqArray(toString(d.stage))) AS stages
FROM (SELECT stage, from_block, to_block, hash, generation FROM dead_letters FINAL WHERE chain = {chain:String} AND state = 'dead' AND stage IN {stages:Array(String)}) AS d
WHERE (d.hash = '' OR (d.from_block, d.to_block, d.hash, d.generation) IN (SELECT l.from_block, l.to_block, l.hash, l.generation FROM live_batches AS l WHERE l.chain = {chain:String} AND l.from_block IN (SELECT from_block FROM dead_letters WHERE chain = {chain:String})))
  AND (d.stage, d.from_block, d.to_block, d.hash, d.generation) NOT IN (SELECT b.stage, b.from_block, b.to_block, b.hash, b.generation FROM batches AS b WHERE b.chain = {chain:String} AND b.from_block IN (SELECT from_block FROM dead_letters WHERE chain = {chain:String}))
HAVING count() > 0
