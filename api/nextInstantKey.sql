-- When an address may have another key at once: a day after the oldest of its `most` newest such keys was made. Grain: one row; none where it has fewer. Parameters: ip, most. Sort key: none (a small table, asked when a key is refused).
SELECT toFloat64(toUnixTimestamp64Milli(made.at) + 86400000) AS at
FROM (SELECT k.public_id AS id, min(k.created_at) AS at FROM access_keys AS k WHERE k.origin = 'instant' AND k.source_ip = {ip:String} GROUP BY k.public_id) AS made
ORDER BY made.at DESC LIMIT 1 OFFSET {most:UInt32} - 1
