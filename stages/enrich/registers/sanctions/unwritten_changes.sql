-- Versions of a list that brought another content than the one before and whose changes are not written yet: a process that ended between the switch and the changes leaves one.
-- Grain: one version, oldest first. Parameters: register. Sort key: (register, version).
SELECT toString(a.version) AS version, a.content AS content, a.before AS before, a.list_version AS list_version
FROM (
  SELECT l.version AS version, l.content AS content, l.list_version AS list_version, lagInFrame(l.content, 1, '') OVER (ORDER BY l.version ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
  FROM sanctions_loads AS l WHERE l.register = {register:String} AND l.status IN ('accepted', 'unchanged')
) AS a
WHERE a.content != a.before AND a.version NOT IN (SELECT c.version FROM sanctions_changes AS c WHERE c.register = {register:String})
ORDER BY a.version
