-- Watch lists of one owner with how many addresses each has, and how many of them are of no chain that is followed, the oldest first. Grain: one list that stands. Parameters: owner, list ('': all). Sort keys: (owner, list_id) and (owner, list_id, key).
SELECT l.list_id AS list_id, l.name AS name, l.min_usd AS min_usd, l.created_at AS created_at, toFloat64(a.addresses) AS addresses, toFloat64(a.unfollowed) AS unfollowed
FROM (SELECT * FROM watch_lists FINAL WHERE owner = {owner:String} AND ({list:String} = '' OR list_id = {list:String}) AND NOT deleted) AS l
LEFT JOIN (SELECT list_id, count() AS addresses, countIf(chain = '') AS unfollowed FROM watched_addresses FINAL WHERE owner = {owner:String} AND NOT removed GROUP BY list_id) AS a ON a.list_id = l.list_id
ORDER BY l.created_at, l.list_id
