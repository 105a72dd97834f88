-- The services' newest log lines, of one level or of all.
-- Grain: one line. Parameters: level ('': all), limit. Sort key: (at, level), read in reverse.
SELECT toString(id) AS id, level, service, message, trace_id, metadata, at AS timestamp
FROM logs_service
WHERE {level:String} = '' OR level = {level:String}
ORDER BY at DESC
LIMIT {limit:UInt32}
