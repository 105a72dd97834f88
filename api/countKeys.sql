-- How many keys were made since a moment, of one role or one origin, from one address; what is '' is not looked at.
-- Grain: one number. Parameters: role, origin, ip, since (Unix milliseconds). Sort key: none (a small table, asked when keys are made).
SELECT uniqExact(public_id) AS keys
FROM access_keys
WHERE ({role:String} = '' OR role = {role:String}) AND ({origin:String} = '' OR origin = {origin:String}) AND ({ip:String} = '' OR source_ip = {ip:String})
  AND created_at >= fromUnixTimestamp64Milli({since:Int64})
