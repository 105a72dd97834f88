-- The oldest generation in which a block of a stretch was planned. Grain: one row, none where it was not. Parameters: chain, from, to. Plans (chain, seq, from_block) have indexes by from_block and to_block.
SELECT min(generation) AS generation FROM plans
WHERE chain = {chain:String} AND kind = 'plan' AND to_block >= {from:UInt64} AND from_block <= {to:UInt64}
HAVING count() > 0
