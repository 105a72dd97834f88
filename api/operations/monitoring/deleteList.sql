-- Takes a watch list away, above whatever version of it stands. Grain: one list. Parameters: owner, list. Sort key: (owner, list_id).
INSERT INTO watch_lists SELECT l.owner, l.list_id, l.name, l.min_usd, l.created_at, true, greatest(toUInt64(toUnixTimestamp64Milli(now64(3))), l.version + 1)
FROM watch_lists AS l FINAL WHERE l.owner = {owner:String} AND l.list_id = {list:String} AND NOT l.deleted
