-- A day of reports that was closed. Grain: one row, none for a day that is not closed. Parameters: day (YYYY-MM-DD, UTC). Sort key: report_days (day).
SELECT toString(d.day) AS day, d.leaves AS leaves, d.statement AS statement, d.key_id AS key_id, d.public_key AS public_key, d.signature AS signature
FROM report_days AS d
WHERE d.day = toDate({day:String})
ORDER BY d.closed_at
LIMIT 1
