-- Until when the perps market was looked at. Grain: one row, null where it never was. Parameters: none. Sort key: hl_signal_runs (chain, to_time, done), read backwards.
SELECT maxOrNull(looked) AS looked_until FROM (SELECT toDateTime64(r.to_time, 3, 'UTC') AS looked FROM hl_signal_runs AS r WHERE r.chain = 'HL' AND r.done ORDER BY r.chain DESC, r.to_time DESC LIMIT 1)
