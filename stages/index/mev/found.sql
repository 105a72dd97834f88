-- How many legs of finds a batch holds. Grain: one row. Parameters: chain, from, to. Sort key of mev_legs: (chain, block_number, …).
SELECT count() AS found FROM mev_legs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
