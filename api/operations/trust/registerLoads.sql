-- The newest load of each register. Grain: one register. Parameters: none. Sort key: (register, loaded_at).
SELECT toString(register) AS register, argMax(version, r.loaded_at) AS version, argMax(sha256, r.loaded_at) AS sha256, toFloat64(argMax(rows, r.loaded_at)) AS rows, max(r.loaded_at) AS loaded_at
FROM register_loads AS r GROUP BY register ORDER BY register
