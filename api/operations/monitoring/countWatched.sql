-- How many addresses are on the lists of one owner that stand. Grain: one row. Parameters: owner. Sort keys: (owner, list_id) and (owner, list_id, key).
SELECT toFloat64(count()) AS watched FROM watched_addresses AS a FINAL
WHERE a.owner = {owner:String} AND NOT a.removed AND a.list_id IN (SELECT l.list_id FROM watch_lists AS l FINAL WHERE l.owner = {owner:String} AND NOT l.deleted)
