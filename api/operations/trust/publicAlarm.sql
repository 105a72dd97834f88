-- Incidents that are open, the critical first, then the newest; only what is no secret of the inside, and none of webhooks that were given up: those are their receivers' doing. Grain: one incident. Parameters: none.
-- Sort key: id (a small table, read whole).
SELECT i.chain AS chain, i.kind AS kind, i.severity AS severity, i.opened_at AS opened_at
FROM (
  SELECT id, argMax(chain, at) AS chain, argMax(kind, at) AS kind, argMax(severity, at) AS severity, argMax(opened_at, at) AS opened_at, argMax(tuple(closed_at), at).1 AS closed_at
  FROM incidents GROUP BY id
) AS i
WHERE i.closed_at IS NULL AND i.kind != 'webhook_dead'
ORDER BY i.severity = 'critical' DESC, i.opened_at DESC
LIMIT 100
