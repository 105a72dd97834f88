-- The newest load of each of the named registers.
-- Grain: one register. Parameters: registers. Sort key: (register, loaded_at).
SELECT toString(register) AS source, argMax(l.version, l.loaded_at) AS list_version, argMax(l.sha256, l.loaded_at) AS list_sha256, toFloat64(argMax(l.rows, l.loaded_at)) AS addresses, max(l.loaded_at) AS loaded
FROM register_loads AS l
WHERE l.register IN {registers:Array(String)}
GROUP BY register
