-- Days of signed reports that are over and have no root yet, with their reports in order. Grain: one day. Parameters: now (Unix milliseconds), grace (milliseconds).
-- A day is over grace after its end, by the clock of who asks and by the server's: reports have a third clock, and one that alone is ahead closes no day that still gets some.
-- Sort keys: none used: the days of every report are read, and hashes only of the days that are open.
SELECT toString(toDate(r.created_at)) AS day, arrayMap(pair -> pair.2, arraySort(groupUniqArray((r.created_at, r.content_hash)))) AS leaves
FROM reports AS r
WHERE r.created_at < toStartOfDay(fromUnixTimestamp64Milli(least({now:Int64}, toUnixTimestamp64Milli(now64(3))) - {grace:Int64}, 'UTC')) AND toDate(r.created_at) NOT IN (SELECT d.day FROM report_days AS d)
GROUP BY day
ORDER BY day
