-- The newest version of one access key, by public id or, where that is '', by numeric id.
-- Grain: one key. Parameters: publicId, id. Sort key: public_id (the numeric id scans; only revoke asks so).
SELECT id, public_id, lower(hex(secret_hash)) AS secret_hash, name, role, tier, origin, account, lineage, quota, rate_limit, daily_cap, scopes, source_ip, created_at, expires_at,
  revoked_at, version
FROM access_keys
WHERE ({publicId:String} != '' AND public_id = {publicId:String}) OR ({publicId:String} = '' AND id = {id:UInt64})
ORDER BY version DESC
LIMIT 1
