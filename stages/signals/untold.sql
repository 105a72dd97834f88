-- The newest look that is over, where marks and results as of its end have yet to be written: whoever worked on it ended before. Grain: one row or none. Parameters: chain. Sort key: hl_signal_runs (chain, to_time, done).
-- Older ones stay without: what is told is as of the newest.
SELECT toFloat64(toUnixTimestamp(r.from_time)) AS from_time, toFloat64(toUnixTimestamp(r.to_time)) AS to_time, toString(r.through) AS through, toFloat64(toUnixTimestamp(r.open_since)) AS open_since
FROM hl_signal_runs AS r WHERE r.chain = {chain:String} AND r.done
GROUP BY r.from_time, r.to_time, r.through, r.open_since HAVING r.to_time = (SELECT max(d.to_time) FROM hl_signal_runs AS d WHERE d.chain = {chain:String} AND d.done) AND NOT max(r.told)
