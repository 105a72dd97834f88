-- Whether what registers had said by a moment was noted by then: a run that began when the newest of those loads was there had landed. Grain: one row.
-- A list that came in other bytes and said the same (labels_version is that of the load before; 0: not known of old loads) is none of those loads.
-- A run says again and again that it is alive: its first row is when it began. Parameters: at (Unix milliseconds). label_runs and register_loads are small and read whole.
WITH fromUnixTimestamp64Milli({at:Int64}, 'UTC') AS moment
SELECT (
  SELECT max(m.first) FROM (SELECT min(b.at) AS first FROM label_runs AS b WHERE b.step = 'begun' AND (b.version, b.attempt) IN (SELECT r.version, r.attempt FROM label_runs AS r WHERE r.step = 'landed' AND r.at <= moment) GROUP BY b.version, b.attempt) AS m
) AS begun, begun > toDateTime64(0, 3, 'UTC') AND begun >= (SELECT max(f.first) FROM (SELECT min(g.loaded_at) AS first FROM register_loads AS g WHERE g.loaded_at <= moment GROUP BY g.register, g.labels_version, if(g.labels_version = 0, g.loaded_at, toDateTime64(0, 3, 'UTC'))) AS f) AS noted
