-- The last day of reports that was closed. Grain: one row, none where no day was. Parameters: none. Sort key: report_days (day), read from its end.
SELECT toString(d.day) AS day, toFloat64(d.tree_size) AS tree_size, d.root AS root, d.statement AS statement, d.key_id AS key_id, d.public_key AS public_key, d.signature AS signature
FROM report_days AS d
ORDER BY d.day DESC, d.closed_at
LIMIT 1
