-- Rollbacks that end a batch: later generations that reach its last block or below. Grain: one rollback. Parameters: chain, to, generation.
SELECT seq, from_block, generation FROM plans
WHERE chain = {chain:String} AND kind = 'rollback' AND generation > {generation:UInt32} AND from_block <= {to:UInt64} ORDER BY seq
