-- Whether the live batch that holds a block has passed a stage: only then is what that stage makes complete. Grain: one row.
-- Parameters: chain, block, stage. batches is pruned by its sort key (chain, from_block).
SELECT count() > 0 AS passed FROM batches
WHERE chain = {chain:String} AND stage = {stage:String} AND from_block <= {block:UInt64} AND from_block + 1024 > {block:UInt64} AND to_block >= {block:UInt64}
  AND generation = (SELECT max(generation) FROM blocks WHERE chain = {chain:String} AND block_number = {block:UInt64})
