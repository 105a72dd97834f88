-- What versions of sanctions lists added and removed, in the order written, after a position. Grain: one listing of one address under one asset in one version.
-- Parameters: register ('': any), since (unix milliseconds), at, register_after, key_after, id_after, asset_after (the position), limit. Sort key: sanctions_changes (at, register, version, key).
SELECT c.at AS at, toString(c.register) AS source, c.list_version AS list_version, toString(c.asset) AS asset, c.address AS address, toString(c.chain) AS chain, c.list_id AS list_id, c.entity_name AS entity_name, toString(c.change) AS change,
  c.key AS key, toUnixTimestamp64Milli(c.at) AS position
FROM sanctions_changes AS c
WHERE c.at >= fromUnixTimestamp64Milli(greatest({at:Int64}, {since:Int64})) AND ({register:String} = '' OR c.register = {register:String})
  AND (toUnixTimestamp64Milli(c.at), c.register, c.key, c.list_id, c.asset) > ({at:Int64}, {register_after:String}, {key_after:String}, {id_after:String}, {asset_after:String})
ORDER BY c.at, c.register, c.key, c.list_id, c.asset LIMIT {limit:UInt32}
