-- What a list held in the time it is measured against: each content that was in force then, since the newest that an operator took though much was gone, with its keys. Grain: one content.
-- Parameters: register, current (the content in force, which counts however old it is), since (Unix milliseconds). Sort keys: sanctions_loads (register, version), designations (register, content, …).
SELECT k.list_version AS list_version, groupUniqArray(d.key) AS keys
FROM designations AS d
INNER JOIN (
  SELECT l.content AS content, max(l.list_version) AS list_version
  FROM sanctions_loads AS l
  WHERE l.register = {register:String} AND l.status IN ('accepted', 'unchanged') AND (l.content = {current:String} OR toUnixTimestamp64Milli(l.loaded_at) >= {since:Int64})
    AND l.version >= (SELECT max(t.version) FROM sanctions_loads AS t WHERE t.register = {register:String} AND t.status = 'accepted' AND t.taken)
  GROUP BY l.content
) AS k ON k.content = d.content
WHERE d.register = {register:String}
GROUP BY d.content, k.list_version
ORDER BY length(keys) DESC, list_version
