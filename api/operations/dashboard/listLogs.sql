-- The services' log lines below a sort position, newest first, of one level or of all.
-- Grain: one line. Parameters: level ('': all), before (Unix milliseconds) and id (the position; at <= before repeats the tuple's bound for the key), limit.
-- Sort key: (at, level), read in reverse.
SELECT toString(l.id) AS id, level, service, message, trace_id, stage, chain, batch, metadata, l.at AS timestamp
FROM logs_service AS l
WHERE ({level:String} = '' OR level = {level:String}) AND l.at <= fromUnixTimestamp64Milli({before:Int64}, 'UTC') AND (l.at, l.id) < (fromUnixTimestamp64Milli({before:Int64}, 'UTC'), {id:UUID})
ORDER BY l.at DESC, l.id DESC
LIMIT {limit:UInt32}
