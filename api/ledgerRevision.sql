-- How far the ledger has grown: a number that changes whenever a batch lands, blocks are deleted or a plan is made. Also the newest head (when it was seen, and of what time it is) and state per chain.
-- Of a venue also the segment up to which enrich has landed, where that is near the head.
-- Grain: one chain that has a head or a control, and '' for the revision. Parameters: venues, whose segments land every second and change nothing
-- that is remembered for longer. Sort keys: heads (chain, observed_at), batches, plans and rollbacks_applied (chain, …).
SELECT '' AS chain, toFloat64((SELECT count() FROM batches WHERE chain NOT IN {venues:Array(String)}) + (SELECT count() FROM rollbacks_applied WHERE chain NOT IN {venues:Array(String)})) AS landed, toFloat64((SELECT count() FROM plans WHERE chain NOT IN {venues:Array(String)})) AS planned, toFloat64(0) AS head, toFloat64(0) AS entered,
  CAST(NULL, 'Nullable(DateTime64(3, \'UTC\'))') AS head_time, CAST(NULL, 'Nullable(DateTime64(3, \'UTC\'))') AS head_said, '' AS state, '' AS reason
UNION ALL
SELECT chain, 0, 0, toFloat64(argMax(number, observed_at)), if(has({venues:Array(String)}, chain), (SELECT toFloat64(max(to_block)) FROM batches WHERE chain IN {venues:Array(String)} AND stage = 'enrich'
  AND from_block + 1000 > (SELECT max(number) FROM heads WHERE chain IN {venues:Array(String)})), 0), toNullable(max(observed_at)), toNullable(argMax(block_time, observed_at)), '', ''
FROM heads GROUP BY chain
UNION ALL
SELECT name, 0, 0, 0, 0, NULL, NULL, argMax(state, changed_at), argMax(reason, changed_at)
FROM controls GROUP BY name
