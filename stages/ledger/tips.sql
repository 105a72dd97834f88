-- The newest live batches, highest first: what a node's headers are compared with.
-- Grain: one batch. Parameters: chain, top (highest block to look at), limit.
SELECT from_block, to_block, hash, parent_hash, generation FROM live_batches
WHERE chain = {chain:String} AND to_block <= {top:UInt64} ORDER BY to_block DESC LIMIT {limit:UInt32}
