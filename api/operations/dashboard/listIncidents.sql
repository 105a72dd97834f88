-- Things an operator must see, below a sort position, the last opened first. Grain: the newest row of one incident.
-- Parameters: before (Unix milliseconds) and after_id (the position), inside (for an operator: also webhooks that were given up, which are their owners' affair), limit. The table is small and read whole.
SELECT i.id AS id, argMax(i.chain, i.at) AS chain, argMax(i.kind, i.at) AS kind, argMax(i.severity, i.at) AS severity, argMax(i.summary, i.at) AS summary, argMax(i.detail, i.at) AS detail,
  argMax(i.opened_at, i.at) AS opened_at, argMax(tuple(i.closed_at), i.at).1 AS closed_at, if(isNull(closed_at), 'open', 'closed') AS status
FROM incidents AS i GROUP BY i.id
HAVING ({inside:Bool} OR argMax(i.kind, i.at) != 'webhook_dead')
  AND (toUnixTimestamp64Milli(opened_at) < {before:Int64} OR (toUnixTimestamp64Milli(opened_at) = {before:Int64} AND i.id > {after_id:String}))
ORDER BY opened_at DESC, i.id LIMIT {limit:UInt32}
