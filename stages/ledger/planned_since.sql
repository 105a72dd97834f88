-- Batches put into the plan after one place in it and up to another, lowest block first. Grain: one batch. Parameters: chain, after, seq. Sort key of plans (chain, seq).
SELECT from_block, to_block, hash, generation, floor FROM plans
WHERE chain = {chain:String} AND seq > {after:UInt64} AND seq <= {seq:UInt64} AND kind = 'plan' ORDER BY from_block
