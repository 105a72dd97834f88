-- Live batches that have not landed the last stage, with the stages that have; without those whose next stage rests. Grain: one batch, lowest block first.
-- Parameters: chain, from (the lowest first block asked about), order (all stages in theirs), last (the last of them), resting (stages), limit. Batches that are live never overlap, so one is known by its first block and generation.
-- Sort key of batches (chain, from_block, stage, generation).
WITH open AS MATERIALIZED (
  SELECT from_block, to_block, hash, generation, floor FROM live_batches
  WHERE chain = {chain:String} AND from_block >= {from:UInt64} AND (from_block, generation) NOT IN (SELECT from_block, generation FROM batches WHERE chain = {chain:String} AND from_block >= {from:UInt64} AND stage = {last:String})
)
SELECT o.from_block AS from_block, o.to_block AS to_block, o.hash AS hash, o.generation AS generation, o.floor AS floor, done.stages AS stages
FROM open AS o
LEFT JOIN (
  SELECT from_block, generation, groupUniqArray(toString(stage)) AS stages FROM batches
  WHERE chain = {chain:String} AND (from_block, generation) IN (SELECT from_block, generation FROM open)
  GROUP BY from_block, generation
) AS done ON done.from_block = o.from_block AND done.generation = o.generation
WHERE NOT has({resting:Array(String)}, arrayFirst(stage -> NOT has(done.stages, stage), {order:Array(String)}))
ORDER BY o.from_block LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
