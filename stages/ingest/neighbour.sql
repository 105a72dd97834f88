-- Hash of the block a batch must stand on: the tip of the live batch right below. Grain: at most one row. Parameters: chain, from.
-- A plan is live while no later rollback reaches its last block or below, which here is one block.
SELECT hash FROM plans WHERE chain = {chain:String} AND kind = 'plan' AND to_block = {from:UInt64} - 1
  AND seq > (SELECT max(seq) FROM plans WHERE chain = {chain:String} AND kind = 'rollback' AND from_block < {from:UInt64})
