-- Things an operator must see, the last opened first. Grain: the newest row of one incident. Parameters: limit. The table is small and read whole.
SELECT id, argMax(i.chain, i.at) AS chain, argMax(i.kind, i.at) AS kind, argMax(i.severity, i.at) AS severity, argMax(i.summary, i.at) AS summary, argMax(i.detail, i.at) AS detail,
  argMax(i.opened_at, i.at) AS opened_at, argMax(tuple(i.closed_at), i.at).1 AS closed_at, if(isNull(closed_at), 'open', 'closed') AS status
FROM incidents AS i GROUP BY id ORDER BY opened_at DESC, id LIMIT {limit:UInt32}
