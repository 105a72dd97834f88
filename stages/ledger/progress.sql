-- How far batches have come. Grain: one batch that has landed ingest. Parameters: chain, froms (their first blocks), last (the stage that ends it).
-- Sort key (chain, from_block, stage, generation). Stages land in order.
SELECT from_block, to_block, hash, generation, max(stage = {last:String}) AS finished FROM batches
WHERE chain = {chain:String} AND from_block IN {froms:Array(UInt64)} AND stage IN ('ingest', {last:String})
GROUP BY from_block, to_block, hash, generation
