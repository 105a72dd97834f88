-- What is wanted of a chain. Grain: one request that was not withdrawn. Parameters: chain.
SELECT id, kind, from_block, to_block FROM wanted WHERE chain = {chain:String} ORDER BY requested_at, id
