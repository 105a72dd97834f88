-- The statement that was closed last: the one that no other names as the one before it, whatever clocks say. Grain: one row, none where no day was closed. Parameters: none. Sort key: none used; one row a day.
SELECT d.statement AS statement FROM report_days AS d
WHERE lower(hex(SHA256(d.statement))) NOT IN (SELECT JSONExtractString(n.statement, 'previous') FROM report_days AS n)
ORDER BY d.closed_at DESC, d.day DESC LIMIT 1
