-- Whether the live batch right below a block has landed a stage. Grain: one row, absent when there is no such batch.
-- Parameters: chain, from (first block of the batch above), stage.
SELECT count() > 0 AS landed FROM batches AS b
WHERE b.chain = {chain:String} AND b.to_block = {from:UInt64} - 1 AND b.stage = {stage:String}
  AND (b.from_block, b.to_block, b.hash, b.generation) IN (
    SELECT from_block, to_block, hash, generation FROM live_batches WHERE chain = {chain:String} AND to_block = {from:UInt64} - 1)
