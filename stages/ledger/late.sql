-- Rollbacks of the last while that ended a batch with a block of this one: its writers may be late, and what they leave stands among the rows of this one.
-- Grain: one rollback. Parameters: chain, from, to, generation, sweepSeconds. Sort key: plans (chain, seq, from_block), with indexes by from_block and to_block.
SELECT seq, from_block, generation FROM plans
WHERE chain = {chain:String} AND kind = 'rollback' AND generation <= {generation:UInt32} AND from_block <= {to:UInt64} AND at > now64(3) - toIntervalSecond({sweepSeconds:UInt32})
  AND generation > (SELECT if(count() = 0, toUInt32(-1), min(generation)) FROM plans WHERE chain = {chain:String} AND kind = 'plan' AND to_block >= {from:UInt64} AND from_block <= {to:UInt64})
ORDER BY seq
