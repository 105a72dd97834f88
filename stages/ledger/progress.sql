-- How far batches have come. Grain: one batch that has landed ingest. Parameters: chain, froms (their first blocks).
-- Sort key (chain, from_block, stage, generation). Stages land in order: alert is the last.
SELECT from_block, to_block, hash, generation, max(stage = 'alert') AS finished FROM batches
WHERE chain = {chain:String} AND from_block IN {froms:Array(UInt64)} AND stage IN ('ingest', 'alert')
GROUP BY from_block, to_block, hash, generation
