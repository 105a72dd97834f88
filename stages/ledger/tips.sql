-- The newest live batches, highest first: what a node's headers are compared with.
-- Grain: one batch. Parameters: chain, top and low (highest and lowest last block to look at), limit. Plans have an index by to_block.
SELECT from_block, to_block, hash, parent_hash, generation FROM live_batches
WHERE chain = {chain:String} AND to_block <= {top:UInt64} AND to_block >= {low:UInt64} ORDER BY to_block DESC LIMIT {limit:UInt32}
