-- Whether the live batch that holds a block has passed the index stage: only then are its events complete. Grain: one row.
-- Parameters: chain, block. batches is pruned by its sort key (chain, from_block).
SELECT count() > 0 AS indexed FROM batches
WHERE chain = {chain:String} AND stage = 'index' AND from_block <= {block:UInt64} AND from_block + 1024 > {block:UInt64} AND to_block >= {block:UInt64}
  AND generation = (SELECT max(generation) FROM blocks WHERE chain = {chain:String} AND block_number = {block:UInt64})
