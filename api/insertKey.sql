-- Writes one version of one access key.
-- Grain: one version. Parameters: the columns; hash in hex, times in Unix milliseconds (revokedAt 0: not revoked). Sort key: public_id.
INSERT INTO access_keys (id, public_id, secret_hash, name, role, tier, origin, account, lineage, quota, rate_limit, daily_cap, scopes, source_ip, created_at, expires_at, revoked_at, version)
SELECT {id:UInt64}, {publicId:String}, toFixedString(unhex({hash:String}), 32), {name:String}, {role:String}, {tier:String}, {origin:String}, {account:String}, {lineage:String}, {quota:String}, {rateLimit:UInt32}, {dailyCap:UInt64},
  {scopes:Array(String)}, {ip:String}, fromUnixTimestamp64Milli({createdAt:Int64}), fromUnixTimestamp64Milli({expiresAt:Int64}),
  if({revokedAt:Int64} = 0, NULL, fromUnixTimestamp64Milli({revokedAt:Int64})), {version:UInt64}
