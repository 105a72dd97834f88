-- How many blocks of a stretch have passed every stage. Grain: one row. Parameters: chain, from, to.
SELECT sum(least(to_block, {to:UInt64}) - greatest(from_block, {from:UInt64}) + 1) AS blocks FROM live_batches
WHERE chain = {chain:String} AND from_block <= {to:UInt64} AND to_block >= {from:UInt64}
  AND (from_block, to_block, hash, generation) IN (SELECT from_block, to_block, hash, generation FROM batches WHERE chain = {chain:String} AND stage = 'alert')
