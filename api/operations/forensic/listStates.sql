-- The list in force of each register at a time, and the attempt after it that failed, if the newest did. Grain: one register. Parameters: now (then all that is known counts, whatever at is), at (unix milliseconds).
-- Sort key: sanctions_loads (register, version), small and read whole. Versions form a chain, so a clock that was wrong changes nothing of the order. next_content is what the list was seen to hold after `at`: the same content then says that it was current at that time.
SELECT toString(l.register) AS source, argMaxIf(l.content, l.version, l.good AND l.known) AS content, argMaxIf(l.list_version, l.version, l.good AND l.known) AS list_version,
  argMaxIf(l.sha256, l.version, l.good AND l.known) AS list_sha256, argMaxIf(l.source, l.version, l.good AND l.known) AS loaded_from,
  toFloat64(argMaxIf(l.addresses, l.version, l.good AND l.known)) AS addresses, toFloat64(argMaxIf(l.unreadable, l.version, l.good AND l.known)) AS unreadable, argMaxIf(l.reason, l.version, l.good AND l.known) AS notes,
  argMaxIf(l.current_at, l.version, l.good AND l.known) AS checked, maxIf(l.loaded_at, l.good AND l.known) AS loaded, countIf(l.good AND l.known) AS loads,
  argMinIf(l.content, l.version, l.good AND NOT l.known) AS next_content,
  argMax(l.status, l.version) AS last_status, argMax(l.reason, l.version) AS last_reason, argMax(l.loaded_at, l.version) AS last_at
FROM (SELECT *, status IN ('accepted', 'unchanged') AS good, {now:Bool} OR toUnixTimestamp64Milli(current_at) <= {at:Int64} AS known FROM sanctions_loads) AS l
GROUP BY l.register ORDER BY source
