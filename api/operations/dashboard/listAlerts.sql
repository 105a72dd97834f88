-- Alerts of one chain below a sort position that still stand, newest first. A newer version of an alert replaces an older one: ids whose newest version is retracted are left out.
-- Grain: one alert. Parameters: chain, block and id (64 hex digits; the position), limit. Sort key: alerts (chain, block_number, id), read in reverse; retractions are rare.
SELECT lower(hex(a.id)) AS id, rule, rule_version, severity, toFloat64(a.block_number) AS block_number, a.block_time AS timestamp, concat('0x', lower(hex(a.tx_hash))) AS tx_hash, position, summary, value_usd,
  toString(a.amount) AS amount, concat('0x', lower(hex(a.token))) AS token, concat('0x', lower(hex(a.from_address))) AS from_address, concat('0x', lower(hex(a.to_address))) AS to_address
FROM alerts AS a
WHERE a.chain = {chain:String} AND a.block_number <= {block:UInt64} AND (a.block_number, a.id) < ({block:UInt64}, toFixedString(unhex({id:String}), 32)) AND NOT a.retracted AND (a.block_number, a.id) NOT IN (
  SELECT r.block_number, r.id FROM alerts AS r
  WHERE r.chain = {chain:String} AND (r.block_number, r.id) IN (SELECT x.block_number, x.id FROM alerts AS x WHERE x.chain = {chain:String} AND x.retracted)
  GROUP BY r.block_number, r.id HAVING argMax(r.retracted, r.version)
)
ORDER BY a.chain DESC, a.block_number DESC, a.id DESC, a.version DESC
LIMIT 1 BY a.id
LIMIT {limit:UInt32}
