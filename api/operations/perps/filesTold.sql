-- Whether a node's files told of all accounts from a moment on until now: of the hour before it, and of the last one. What is missing between is a gap, which coverage tells. Grain: one row. Parameters: from (Unix milliseconds).
-- What a generator made is all there is of its market. Sort key: hl_fills (chain, time, …).
WITH fromUnixTimestamp64Milli({from:Int64}, 'UTC') AS since, now64(3, 'UTC') AS until
SELECT CAST((SELECT count() FROM (SELECT 1 FROM hl_fills AS f WHERE f.chain = 'HL' AND f.time > since - INTERVAL 1 HOUR AND f.time <= since AND f.source IN ('node_fills', 'synthetic') LIMIT 1)) > 0
  AND (SELECT count() FROM (SELECT 1 FROM hl_fills AS f WHERE f.chain = 'HL' AND f.time > until - INTERVAL 1 HOUR AND f.source IN ('node_fills', 'synthetic') LIMIT 1)) > 0, 'Bool') AS told
