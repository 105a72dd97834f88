-- What venues said in the last day and nobody heard: stretches, and how long the longest of them was. Grain: one venue. Parameters: none.
-- Sort key: hl_gaps (chain, time, …); it is small.
SELECT toString(g.chain) AS chain, toFloat64(uniqExact(g.from_time)) AS gaps, toFloat64(max(dateDiff('second', g.from_time, g.to_time))) AS seconds
FROM hl_gaps AS g WHERE g.time > now64(3, 'UTC') - INTERVAL 1 DAY GROUP BY g.chain
