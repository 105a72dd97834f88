-- What a version of a list added and removed against the content before it; nothing where the changes of the version were written already.
-- Grain: one listing of one address under one asset. Parameters: register, version, content, before ('' for a first version), list_version. Sort keys: (register, content, …) of designations.
INSERT INTO sanctions_changes (at, register, version, list_version, asset, key, address, chain, list_id, entity_name, change)
SELECT now64(3), {register:String}, {version:UInt64}, {list_version:String}, p.asset, p.key, any(p.address), any(p.chain), p.list_id, any(p.entity_name), if(sum(p.sign) > 0, 'added', 'removed')
FROM (
  SELECT DISTINCT d.ticker AS asset, d.key AS key, d.list_id AS list_id, d.content = {content:String} AS now, if(now, 1, -1) AS sign, d.address AS address, d.chain AS chain, d.entity_name AS entity_name
  FROM designations AS d
  WHERE d.register = {register:String} AND d.content IN ({content:String}, {before:String})
  LIMIT 1 BY asset, key, list_id, now
) AS p
WHERE NOT EXISTS (SELECT 1 FROM sanctions_changes AS c WHERE c.register = {register:String} AND c.version = {version:UInt64})
GROUP BY p.asset, p.key, p.list_id
HAVING sum(p.sign) != 0
