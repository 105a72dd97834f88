-- Agents of one chain, those seen last first, below a sort position; or those that an id, an address or a name means.
-- Grain: one agent. Parameters: chain, block and log (the position), by ('' all, 'id', 'address', 'name'), id, address (hex without 0x), name (lower case), limit.
-- Sort key: agent_events (chain, agent_id, …), read for one chain; agent_files (chain, agent_id).
WITH files AS (
  SELECT agent_id, argMax((uri, status, sha256, name, description, services, x402_support, active, supported_trust, fetched_at), agent_files.fetched_at) AS f
  FROM agent_files WHERE chain = {chain:String} AND ({by:String} != 'id' OR agent_id = {id:UInt256}) GROUP BY agent_id
)
SELECT toString(a.chain) AS chain, toString(a.agent_id) AS agent_id, if(a.owner_known, concat('0x', lower(hex(a.owner))), NULL) AS owner, if(length(a.wallet) = 20, concat('0x', lower(hex(a.wallet))), NULL) AS wallet,
  a.uri AS uri, f.2 != '' AND f.1 = a.uri AS read, if(read AND f.2 = 'ok', f.4, NULL) AS name, if(read AND f.2 = 'ok', f.5, NULL) AS description,
  if(read, f.6, []) AS services, if(read, f.7, NULL) AS x402_support, if(read, f.8, NULL) AS active, if(read, f.9, []) AS supported_trust,
  a.registered_at AS registered_at, toFloat64(a.registered_block) AS registered_block, if(a.registered_at IS NULL, NULL, concat('0x', lower(hex(a.registered_tx)))) AS registered_tx, a.updated_at AS updated_at,
  if(read, f.2, 'not_read') AS file_status, if(read, toNullable(f.10), NULL) AS fetched_at, if(read, nullIf(f.3, ''), NULL) AS sha256,
  toFloat64(a.feedback) AS given, toFloat64(a.feedback_revoked) AS revoked, toFloat64(a.clients) AS clients, [toFloat64(a.first_seen.1), toFloat64(a.first_seen.2)] AS at
FROM agents AS a LEFT JOIN files ON files.agent_id = a.agent_id
WHERE a.chain = {chain:String} AND a.first_seen < ({block:UInt64}, {log:UInt32})
  AND multiIf({by:String} = 'id', a.agent_id = {id:UInt256}, {by:String} = 'address', (a.owner_known AND a.owner = unhex({address:String})) OR a.wallet = unhex({address:String}), {by:String} = 'name', read AND lowerUTF8(name) = {name:String}, true)
ORDER BY a.first_seen DESC
LIMIT {limit:UInt32}
