-- Agents of one chain, counted. Grain: one row. Parameters: chain. Sort keys: agent_events and agent_files (chain, agent_id, …), read for one chain.
SELECT toFloat64(count()) AS agents, toFloat64(uniqExactIf(a.owner, a.owner_known)) AS owners, toFloat64(countIf(length(a.wallet) = 20)) AS with_wallet, toFloat64(countIf(a.uri != '')) AS with_uri,
  toFloat64(countIf(a.registered_at > newest - INTERVAL 1 DAY)) AS registered_24h, toFloat64(countIf(a.registered_at > newest - INTERVAL 7 DAY)) AS registered_7d,
  toFloat64(sum(a.feedback)) AS feedback, toFloat64(sum(a.feedback_revoked)) AS feedback_revoked, maxOrNull(a.registered_at) AS last_registered_at, minOrNull(a.registered_at) AS first_registered_at,
  toFloat64((SELECT uniqExact(agent_id) FROM agent_files WHERE chain = {chain:String} AND status = 'ok')) AS files_read
FROM agents AS a
CROSS JOIN (SELECT max(block_time) AS newest FROM blocks WHERE chain = {chain:String}) AS n
WHERE a.chain = {chain:String}
