-- How many signed reports there are, by kind.
-- Grain: one kind. Parameters: none. Sort key: none used; every report is counted once.
SELECT toString(r.kind) AS kind, toFloat64(uniqExact(r.content_hash)) AS reports, max(r.created_at) AS newest
FROM reports AS r
GROUP BY kind
ORDER BY kind
