-- How many heights of a chain between two, both included, are in the store.
-- Grain: one row. Parameters: chain, low, high. Sort key: blocks (chain, block_number), by both.
SELECT toFloat64(uniqExact(b.block_number)) AS heights FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_number BETWEEN {low:UInt64} AND {high:UInt64}
