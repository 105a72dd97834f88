-- Whether a batch has inputs of which the node did not say what they spend. Grain: one row; the column counts. Parameters: chain, from, to, generation.
-- Reads btc_read_inputs by its sort key (chain, block_number, …).
SELECT count() AS inputs FROM btc_read_inputs
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
