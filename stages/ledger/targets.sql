-- What is wanted of a chain. Grain: one request. Parameters: chain.
SELECT id, kind, from_block, to_block FROM targets WHERE chain = {chain:String} ORDER BY requested_at, id
