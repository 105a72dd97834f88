-- Whether the live batch right below a block has landed a stage. Grain: one row.
-- Parameters: chain, from (first block of the batch above), stage. A plan is live while no later rollback reaches its last block or below, which here is one block.
SELECT count() > 0 AS landed FROM batches
WHERE chain = {chain:String} AND to_block = {from:UInt64} - 1 AND stage = {stage:String} AND (from_block, hash, generation) IN (
  SELECT from_block, hash, generation FROM plans WHERE chain = {chain:String} AND kind = 'plan' AND to_block = {from:UInt64} - 1
    AND seq > (SELECT max(seq) FROM plans WHERE chain = {chain:String} AND kind = 'rollback' AND from_block < {from:UInt64}))
