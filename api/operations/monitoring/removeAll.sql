-- Takes every address of a watch list off it. Grain: one address. Parameters: owner, list, version. Sort key: (owner, list_id, key).
INSERT INTO watched_addresses SELECT owner, list_id, key, base, address, chain, id, added_at, true, {version:UInt64}
FROM watched_addresses FINAL WHERE owner = {owner:String} AND list_id = {list:String} AND NOT removed
