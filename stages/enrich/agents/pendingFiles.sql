-- Agents whose URI has not been read yet, or failed to be read longer than a day ago; the newest first. Grain: one agent.
-- Parameters: chain, limit. Sort keys: agent_events and agent_files (chain, agent_id, …).
SELECT toString(a.agent_id) AS agent_id, a.uri AS uri, toFloat64(a.uri_size) AS uri_size
FROM agents AS a
LEFT JOIN (
  SELECT agent_id, argMax(uri, fetched_at) AS uri, argMax(status, fetched_at) AS status, max(fetched_at) AS fetched FROM agent_files WHERE chain = {chain:String} GROUP BY agent_id
) AS f ON f.agent_id = a.agent_id
WHERE a.chain = {chain:String} AND a.uri != '' AND (f.uri != a.uri OR (f.status = 'failed' AND f.fetched < now64(3) - INTERVAL 1 DAY))
ORDER BY a.updated_at DESC, a.agent_id DESC
LIMIT {limit:UInt32}
