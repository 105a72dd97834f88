-- How many addresses are on the lists of one owner that stand, and of which chains that are followed. Grain: one row. Parameters: owner, list ('': all). Sort keys: (owner, list_id) and (owner, list_id, key).
SELECT toFloat64(count()) AS watched, arraySort(arrayFilter(one -> one != '', groupUniqArray(toString(a.chain)))) AS chains FROM watched_addresses AS a FINAL
WHERE a.owner = {owner:String} AND NOT a.removed AND a.list_id IN (SELECT l.list_id FROM watch_lists AS l FINAL WHERE l.owner = {owner:String} AND ({list:String} = '' OR l.list_id = {list:String}) AND NOT l.deleted)
