-- Whether a node's files told of all accounts from a moment on until now: of the hour before it, of each hour of the clock since, and of the last one. Grain: one row. Parameters: from (Unix milliseconds).
-- An hour in which the venue dealt nothing has never been; one that a node did not write has. What is missing within an hour is a gap, which coverage tells.
-- What a generator made is all there is of its market, quiet hours too. Sort key: hl_told (chain, told, start), a row an hour.
WITH fromUnixTimestamp64Milli({from:Int64}, 'UTC') AS since, now64(3, 'UTC') AS until
SELECT CAST(countIf(first <= since AND (made OR last > since - INTERVAL 1 HOUR OR start = toStartOfHour(since))) > 0 AND countIf(last > until - INTERVAL 1 HOUR) > 0
  AND (max(made) OR uniqExactIf(start, start >= toStartOfHour(since) AND start < toStartOfHour(until)) >= dateDiff('hour', toStartOfHour(since), toStartOfHour(until))), 'Bool') AS told
FROM (
  SELECT t.told = 'made' AS made, t.start AS start, min(t.first) AS first, max(t.last) AS last FROM hl_told AS t
  WHERE t.chain = 'HL' AND t.told IN ('fills', 'made') AND t.start <= until AND (t.told = 'made' OR t.start >= toStartOfHour(since) - INTERVAL 1 HOUR) GROUP BY t.told, t.start
)
