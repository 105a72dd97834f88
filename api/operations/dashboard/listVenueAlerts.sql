-- Alerts of a venue below a sort position, newest first by when they happened: its segments are no heights, one holds hours or weeks. What was worked out stands elsewhere. A deal of a perp has no token and no amount of one.
-- Grain: one alert, the newest generation of it. Parameters: chain, ms (Unix milliseconds) and id (64 hex digits; the position), limit. Sort key: hl_alerts (chain, time, id), read in reverse.
SELECT lower(hex(a.id)) AS id, a.kind AS rule, 1 AS rule_version, a.severity AS severity, toFloat64(a.block_number) AS block_number, a.time AS timestamp, concat('0x', lower(hex(a.hash))) AS tx_hash, 0 AS position, a.summary AS summary, a.value_usd AS value_usd,
  NULL AS amount, NULL AS token, concat('0x', lower(hex(a.account))) AS from_address, concat('0x', repeat('0', 40)) AS to_address
FROM hl_alerts AS a
WHERE a.chain = {chain:String} AND a.basis = 'confirmed' AND a.time <= fromUnixTimestamp64Milli({ms:Int64}, 'UTC') AND (a.time, a.id) < (fromUnixTimestamp64Milli({ms:Int64}, 'UTC'), toFixedString(unhex({id:String}), 32))
ORDER BY a.chain DESC, a.time DESC, a.id DESC, a.generation DESC
LIMIT 1 BY a.id
LIMIT {limit:UInt32}
