-- How many keys of a role were made from one address since a moment; an empty address means from anywhere.
-- Grain: one number. Parameters: ip, role, since (Unix milliseconds). Sort key: none (a small table, asked when keys are made).
SELECT uniqExact(public_id) AS keys
FROM access_keys
WHERE role = {role:String} AND ({ip:String} = '' OR source_ip = {ip:String}) AND created_at >= fromUnixTimestamp64Milli({since:Int64})
