-- Live batches that have not landed every stage, with the stages that have. Grain: one batch, lowest block first.
-- Parameters: chain, stages (how many there are), limit.
SELECT l.from_block AS from_block, l.to_block AS to_block, l.hash AS hash, l.generation AS generation, l.floor AS floor, done.stages AS stages
FROM live_batches AS l
LEFT JOIN (
  SELECT from_block, to_block, hash, generation, groupUniqArray(toString(stage)) AS stages FROM batches WHERE chain = {chain:String}
  GROUP BY from_block, to_block, hash, generation
) AS done USING (from_block, to_block, hash, generation)
WHERE l.chain = {chain:String} AND length(done.stages) < {stages:UInt8}
ORDER BY l.from_block LIMIT {limit:UInt32}
