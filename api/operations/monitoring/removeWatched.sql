-- Takes addresses of a watch list off it, above whatever version of each stands. Grain: one address. Parameters: owner, list, keys ([]: all). Sort key: (owner, list_id, key).
INSERT INTO watched_addresses SELECT w.owner, w.list_id, w.key, w.base, w.address, w.chain, w.id, w.added_at, true, greatest(toUInt64(toUnixTimestamp64Milli(now64(3))), w.version + 1)
FROM watched_addresses AS w FINAL WHERE w.owner = {owner:String} AND w.list_id = {list:String} AND (empty({keys:Array(String)}) OR has({keys:Array(String)}, w.key)) AND NOT w.removed
