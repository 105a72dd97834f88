-- Whether a node's files told of all accounts from a moment on until now: of the hour before it, of each hour of the clock since, and of the last one. Grain: one row. Parameters: from (Unix milliseconds).
-- An hour in which the venue dealt nothing has never been; one that a node did not write has. What is missing within an hour is a gap, which coverage tells.
-- What a generator made is all there is of its market. Sort key: hl_fills (chain, time, …).
WITH fromUnixTimestamp64Milli({from:Int64}, 'UTC') AS since, now64(3, 'UTC') AS until
SELECT CAST(countIf(f.time <= since) > 0 AND countIf(f.time > until - INTERVAL 1 HOUR) > 0
  AND uniqExactIf(toStartOfHour(f.time), f.time >= toStartOfHour(since) AND f.time < toStartOfHour(until)) >= dateDiff('hour', toStartOfHour(since), toStartOfHour(until)), 'Bool') AS told
FROM hl_fills AS f WHERE f.chain = 'HL' AND f.time > since - INTERVAL 1 HOUR AND f.time <= until AND f.source IN ('node_fills', 'synthetic')
