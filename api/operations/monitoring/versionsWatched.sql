-- What was ever written of addresses of one watch list. Grain: one address, also one that was taken off. Parameters: owner, list, keys. Sort key: (owner, list_id, key).
SELECT w.key AS key, w.removed AS removed, toFloat64(w.version) AS version
FROM watched_addresses AS w FINAL
WHERE w.owner = {owner:String} AND w.list_id = {list:String} AND has({keys:Array(String)}, w.key)
