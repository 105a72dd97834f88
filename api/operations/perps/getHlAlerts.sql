-- Alerts of the last hours, newest first: what the venue closed by force (confirmed), what is near it (estimated), what accounts that gained open, and setups for cascades. Grain: one alert.
-- Parameters: from (Unix milliseconds), min_score, limit; the position the page before ended at: before (Unix milliseconds), id.
-- Sort keys: hl_alerts (chain, time, id), hl_signals (chain, time, …). basis keeps what was said from what was worked out.
SELECT id, kind, basis, score, coin, side, address, price, value_usd, summary, evidence, timestamp, (toFloat64(toUnixTimestamp64Milli(timestamp)), id) AS at FROM (
  SELECT lower(hex(a.id)) AS id, toString(a.kind) AS kind, toString(a.basis) AS basis, a.score AS score, toString(a.coin) AS coin, if(a.side = 'none', NULL, toNullable(toString(a.side))) AS side, if(a.account = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(a.account))))) AS address, toNullable(toFloat64(toString(a.px))) AS price, toNullable(a.value_usd) AS value_usd, a.summary AS summary,
    CAST([(concat(a.kind, ', ', toString(a.basis)), a.score, a.detail)], 'Array(Tuple(rule String, points Float64, detail String))') AS evidence, a.time AS timestamp
  FROM hl_alerts AS a WHERE a.chain = 'HL' AND a.time > fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND a.time <= fromUnixTimestamp64Milli({before:Int64}, 'UTC') AND (a.time < fromUnixTimestamp64Milli({before:Int64}, 'UTC') OR lower(hex(a.id)) > {id:String}) AND a.score >= {min_score:Float64} ORDER BY a.time DESC, a.id LIMIT 1 BY a.id LIMIT {limit:UInt32}
  UNION ALL
  SELECT lower(hex(s.id)), toString(s.kind), 'estimated', s.strength, toString(s.coin), toNullable(toString(s.side)), NULL, toNullable(toFloat64(toString(s.px))), toNullable(s.measures['usd']), s.detail,
    CAST([(concat(s.kind, ' ', s.version), s.strength, arrayStringConcat(arrayMap((name, value) -> concat(name, ' ', toString(round(value, 6))), mapKeys(s.measures), mapValues(s.measures)), ', '))], 'Array(Tuple(rule String, points Float64, detail String))'), toDateTime64(s.time, 3, 'UTC')
  FROM hl_signals AS s WHERE s.chain = 'HL' AND NOT s.baseline AND s.version = 'v3' AND s.kind IN ('cascade_setup', 'liquidation_cluster') AND s.time > toDateTime(intDiv({from:Int64}, 1000), 'UTC') AND s.time <= toDateTime(intDiv({before:Int64}, 1000), 'UTC') AND (toInt64(toUnixTimestamp(s.time)) * 1000 < {before:Int64} OR lower(hex(s.id)) > {id:String}) AND s.strength >= {min_score:Float64} ORDER BY s.time DESC, s.id LIMIT {limit:UInt32}
)
ORDER BY timestamp DESC, id LIMIT {limit:UInt32}
