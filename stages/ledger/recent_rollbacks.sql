-- Rollbacks that were carried out, or looked after, in the last while and reach a batch. Grain: one rollback. Parameters: chain, to, generation (of the batch), sweepSeconds. rollbacks_applied is small: it has some rows for each.
SELECT DISTINCT seq, from_block, generation FROM rollbacks_applied
WHERE chain = {chain:String} AND generation <= {generation:UInt32} AND from_block <= {to:UInt64} AND at > now64(6) - toIntervalSecond({sweepSeconds:UInt32})
ORDER BY seq
