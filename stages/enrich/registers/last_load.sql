-- What was loaded last of a register (hash and version; '' where labels of a later load stand that was ended in the middle), and the version of labels that the next load has, which no load had before, though it may have written none. Grain: one row.
-- alone: no other version was noted under the labels of the newest: of loads that wrote at the same time under one version of labels, all that they said stands.
-- Parameters: register. register_loads is small; of labels, source and version are read through.
SELECT greatest(s.newest, w.highest) + 1 AS next, if(s.newest <= w.noted, w.sha256, '') AS last, if(s.newest <= w.noted, w.said, '') AS version, toBool(NOT arrayExists(load -> load.1 = w.noted AND load.2 != w.said, w.loads)) AS alone
FROM (SELECT max(l.version) AS newest FROM labels AS l WHERE l.source = {register:String}) AS s
CROSS JOIN (
  SELECT argMax(r.sha256, r.loaded_at) AS sha256, argMax(r.version, r.loaded_at) AS said, argMax(r.labels_version, r.loaded_at) AS noted, max(r.labels_version) AS highest, groupUniqArray((r.labels_version, r.version)) AS loads FROM register_loads AS r WHERE r.register = {register:String}
) AS w
