-- Addresses of one watch list, by key. Grain: one address. Parameters: owner, list, after (key), keys ([]: all), limit. Sort key: (owner, list_id, key).
SELECT w.key AS key, w.address AS address, toString(w.chain) AS chain, w.added_at AS added_at
FROM watched_addresses AS w FINAL
WHERE w.owner = {owner:String} AND w.list_id = {list:String} AND w.key > {after:String} AND (empty({keys:Array(String)}) OR has({keys:Array(String)}, w.key)) AND NOT w.removed
ORDER BY w.key
LIMIT {limit:UInt32}
