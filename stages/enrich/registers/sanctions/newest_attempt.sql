-- The newest attempt to load a list, whatever became of it (0 before the first), and how often a new content was accepted. Grain: one row. Parameters: register. Sort key: (register, version).
SELECT toFloat64(max(l.version)) AS version, toFloat64(countIf(l.status = 'accepted')) AS accepted FROM sanctions_loads AS l WHERE l.register = {register:String}
