-- What was decided last. Grain: one name ('pipeline', 'stage:enrich', 'chain:ETH').
SELECT c.name AS name, argMax(c.state, c.changed_at) AS state, argMax(c.reason, c.changed_at) AS reason
FROM controls AS c GROUP BY c.name
SETTINGS max_threads = 1
