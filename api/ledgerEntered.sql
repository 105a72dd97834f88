-- The segment of a venue up to which enrich has landed, where that is near its newest head; 0 where it is not. Grain: one row.
-- Parameters: chain. Sort keys: batches (chain, from_block), heads (chain, observed_at).
SELECT toFloat64(max(to_block)) AS entered FROM batches
WHERE chain = {chain:String} AND stage = 'enrich' AND from_block + 1000 > (SELECT max(number) FROM heads WHERE chain = {chain:String})
SETTINGS max_threads = 1
