-- The stretch of time that was begun and not finished. Grain: one row or none. Parameters: chain. Sort key: hl_signal_runs (chain, to_time, done).
SELECT toFloat64(toUnixTimestamp(r.from_time)) AS from_time, toFloat64(toUnixTimestamp(r.to_time)) AS to_time, toString(r.through) AS through, toFloat64(toUnixTimestamp(r.open_since)) AS open_since
FROM hl_signal_runs AS r WHERE r.chain = {chain:String} AND NOT r.done AND r.to_time > (SELECT max(d.to_time) FROM hl_signal_runs AS d WHERE d.chain = {chain:String} AND d.done)
