-- The live batch right above a block when it has landed a stage. Grain: at most one batch. Parameters: chain, to (last block of the batch below), stage.
SELECT l.from_block AS from_block, l.to_block AS to_block, l.hash AS hash, l.generation AS generation, l.floor AS floor FROM live_batches AS l
WHERE l.chain = {chain:String} AND l.from_block = {to:UInt64} + 1
  AND (l.from_block, l.to_block, l.hash, l.generation) IN (
    SELECT from_block, to_block, hash, generation FROM batches WHERE chain = {chain:String} AND from_block = {to:UInt64} + 1 AND stage = {stage:String})
