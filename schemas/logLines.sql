-- Lines of the logger (one JSON object each) as rows; what has no column of its own stays together as metadata.
-- Grain: one line. Parameters: service. Sort key: none (appends to logs_service).
INSERT INTO logs_service (at, level, service, message, trace_id, stage, chain, batch, metadata)
SELECT fromUnixTimestamp64Milli(JSONExtractInt(line, 'time')),
  transform(JSONExtractInt(line, 'level'), [10, 20, 30, 40, 50, 60], ['trace', 'debug', 'info', 'warn', 'error', 'fatal'], 'info'),
  {service:String}, JSONExtractString(line, 'msg'), JSONExtractString(line, 'traceId'), JSONExtractString(line, 'stage'), JSONExtractString(line, 'chain'), JSONExtractString(line, 'batch'),
  concat('{', arrayStringConcat(arrayMap(member -> concat(toJSONString(member.1), ':', member.2),
    arrayFilter(member -> member.1 NOT IN ('level', 'time', 'msg', 'service', 'traceId', 'stage', 'chain', 'batch'), JSONExtractKeysAndValuesRaw(line))), ','), '}')
FROM input('line String')
FORMAT LineAsString
