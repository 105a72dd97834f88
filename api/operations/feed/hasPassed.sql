-- Whether the live batch that holds a block has passed enrich, and index: only then is what that stage makes complete. Grain: one row.
-- Parameters: chain, block. batches is pruned by its sort key (chain, from_block).
SELECT countIf(stage = 'enrich') > 0 AS enrich, countIf(stage = 'index') > 0 AS index FROM batches
WHERE chain = {chain:String} AND stage IN ('enrich', 'index') AND from_block <= {block:UInt64} AND from_block + 1024 > {block:UInt64} AND to_block >= {block:UInt64}
  AND generation = (SELECT max(generation) FROM blocks WHERE chain = {chain:String} AND block_number = {block:UInt64})
SETTINGS max_threads = 1
