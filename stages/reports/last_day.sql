-- The statement that was closed last. Grain: one row, none where no day was closed. Parameters: none. Sort key: none used; one row a day.
SELECT d.statement AS statement FROM report_days AS d ORDER BY d.closed_at DESC, d.day DESC LIMIT 1
