-- Stages of one batch that have landed. Grain: one stage. Parameters: chain, from, to, hash, generation.
-- Sort key (chain, from_block, stage, generation).
SELECT DISTINCT stage FROM batches
WHERE chain = {chain:String} AND from_block = {from:UInt64} AND to_block = {to:UInt64} AND hash = {hash:String} AND generation = {generation:UInt32}
