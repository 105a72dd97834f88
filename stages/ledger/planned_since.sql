-- Batches put into the plan after a place in it, lowest block first. Grain: one batch. Parameters: chain, seq. Sort key of plans (chain, seq).
SELECT from_block, to_block, hash, generation, floor FROM plans
WHERE chain = {chain:String} AND seq > {seq:UInt64} AND kind = 'plan' ORDER BY from_block
