-- The newest head of every chain: its number, when it was seen, of what time it is by the chain's own clock. Grain: one chain that has a head. Sort key: heads (chain, observed_at).
SELECT h.chain AS chain, toFloat64(argMax(h.number, h.observed_at)) AS number, max(h.observed_at) AS observed_at, argMax(h.block_time, h.observed_at) AS time
FROM heads AS h GROUP BY h.chain
SETTINGS max_threads = 1
