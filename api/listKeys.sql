-- The keys of one account or, where that is '', one key, newest first, strictly below a sort position, each with its last use.
-- Grain: one key. Parameters: account, publicId, live (true: only those that work at now), now, the position: before (Unix milliseconds) and after (public id), limit. Sort key: public_id (an account scans: a small table, asked by people).
SELECT k.id AS id, k.public_id AS public_id, lower(hex(k.secret_hash)) AS secret_hash, k.name AS name, k.role AS role, k.tier AS tier, k.origin AS origin, k.account AS account,
  k.lineage AS lineage, k.quota AS quota, k.rate_limit AS rate_limit, k.daily_cap AS daily_cap, k.scopes AS scopes, k.source_ip AS source_ip, k.created_at AS created_at,
  k.expires_at AS expires_at, k.revoked_at AS revoked_at, k.version AS version, u.used_at AS used_at
FROM (
  SELECT *
  FROM access_keys
  WHERE public_id IN (
    SELECT public_id FROM access_keys WHERE if({account:String} = '', public_id = {publicId:String}, account = {account:String})
  )
  ORDER BY public_id, version DESC
  LIMIT 1 BY public_id
) AS k
LEFT JOIN (SELECT public_id, max(toNullable(at)) AS used_at FROM key_uses GROUP BY public_id) AS u ON u.public_id = k.public_id
WHERE (k.created_at < fromUnixTimestamp64Milli({before:Int64}) OR (k.created_at = fromUnixTimestamp64Milli({before:Int64}) AND k.public_id > {after:String}))
  AND (NOT {live:Bool} OR (k.revoked_at IS NULL AND k.expires_at > fromUnixTimestamp64Milli({now:Int64})))
ORDER BY k.created_at DESC, k.public_id
LIMIT {limit:UInt32}
