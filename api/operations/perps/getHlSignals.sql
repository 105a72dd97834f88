-- Signals of the last hours, newest first, each told by the first version still followed that gave it, and copy-trade alerts beside them. What was worked out of recordings or files long after bears its own time, so it is not among them.
-- Grain: one signal. Parameters: from (Unix milliseconds), limit; the position the page before ended at: before (Unix milliseconds), strength, id. Sort keys: hl_signals (chain, time, …), hl_alerts (chain, time, id).
SELECT id, kind, version, coin, side, strength, price, summary, evidence, timestamp, (toFloat64(toUnixTimestamp64Milli(timestamp)), strength, id) AS at FROM (
  SELECT lower(hex(s.id)) AS id, toString(s.kind) AS kind, toString(s.version) AS version, toString(s.coin) AS coin, if(s.side = 'none', NULL, toNullable(toString(s.side))) AS side, s.strength AS strength, toNullable(toFloat64(toString(s.px))) AS price, s.detail AS summary,
    CAST([(concat(s.kind, ' ', s.version), s.strength, arrayStringConcat(arrayMap((name, value) -> concat(name, ' ', toString(round(value, 6))), mapKeys(s.measures), mapValues(s.measures)), ', '))], 'Array(Tuple(rule String, points Float64, detail String))') AS evidence, toDateTime64(s.time, 3, 'UTC') AS timestamp
  FROM hl_signals AS s
  WHERE s.chain = 'HL' AND NOT s.baseline AND s.time > toDateTime(intDiv({from:Int64}, 1000), 'UTC') AND s.time <= toDateTime(intDiv({before:Int64}, 1000), 'UTC') AND (s.kind, s.version) NOT IN (SELECT kind, version FROM hl_signal_rules FINAL WHERE archived)
  ORDER BY s.version LIMIT 1 BY s.kind, s.coin, s.side, s.time
  UNION ALL
  SELECT lower(hex(a.id)), toString(a.kind), 'v1', toString(a.coin), toNullable(toString(a.side)), a.score, toNullable(toFloat64(toString(a.px))), a.summary,
    CAST([(toString(a.kind), a.score, a.detail)], 'Array(Tuple(rule String, points Float64, detail String))'), a.time
  FROM hl_alerts AS a WHERE a.chain = 'HL' AND a.kind = 'copy_trade' AND a.time > fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND a.time <= fromUnixTimestamp64Milli({before:Int64}, 'UTC')
)
WHERE timestamp < fromUnixTimestamp64Milli({before:Int64}, 'UTC') OR (-strength, id) > (-{strength:Float64}, {id:String})
ORDER BY timestamp DESC, strength DESC, id LIMIT {limit:UInt32}
