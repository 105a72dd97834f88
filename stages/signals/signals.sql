-- What rules saw becomes signals, by every version whose least values it reaches, no more than once within the cooldown. Grain: one signal, written once.
-- Parameters: chain, from_time, to_time (Unix seconds), through. Sort keys: hl_sightings (chain, time, …), hl_signals (chain, time, …). The terms of its account are those of the rule as it is now; id: hash of rule, version, coin, side and time.
INSERT INTO hl_signals (chain, id, kind, version, coin, time, side, strength, measures, detail, px, reconstructed, baseline, matched, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd, through)
WITH given AS (
  SELECT g.kind AS kind, g.version AS version, g.coin AS coin, g.side AS side, toUnixTimestamp(max(g.time)) AS newest FROM hl_signals AS g
  WHERE g.chain = {chain:String} AND NOT g.baseline AND g.time > toDateTime({from_time:UInt32}, 'UTC') - INTERVAL 2 DAY GROUP BY kind, version, coin, side
)
SELECT {chain:String}, SHA256(concat({chain:String}, '|', s.kind, '|', s.version, '|', s.coin, '|', toString(s.side), '|', toString(s.told.1))), s.kind, s.version, s.coin, toDateTime(s.told.1, 'UTC'), s.side, s.told.2, s.told.3, s.told.4, s.told.5, s.told.6, false, toFixedString('', 32),
  s.latency_seconds, s.horizon_minutes, s.stop, s.target, s.fee_bps, s.slip_bps, s.quantity_usd, {through:UInt64}
FROM (
  SELECT kind, version, coin, side, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd,
    arrayFold((kept, one) -> if(one.1 >= kept.1 + cooldown * 60, (one.1, arrayPushBack(kept.2, one)), kept), seen, (newest, emptyArrayOf)).2 AS kept, arrayJoin(kept) AS told
  FROM (
    SELECT toString(g.kind) AS kind, toString(r.version) AS version, toString(g.coin) AS coin, g.side AS side, r.cooldown_minutes AS cooldown, r.latency_seconds AS latency_seconds, r.horizon_minutes AS horizon_minutes, r.stop AS stop, r.target AS target, r.fee_bps AS fee_bps, r.slip_bps AS slip_bps, r.quantity_usd AS quantity_usd,
      arraySort(one -> one.1, groupArray((toInt64(toUnixTimestamp(g.time)), g.strength, g.measures, g.detail, g.px, g.reconstructed))) AS seen, arrayResize(seen, 0) AS emptyArrayOf, ifNull(toInt64(any(n.newest)), 0) - if(any(n.kind) = '', 4000000000, 0) AS newest
    FROM hl_sightings AS g
    INNER JOIN hl_signal_rules AS r FINAL ON r.kind = g.kind
    LEFT JOIN given AS n ON n.kind = g.kind AND n.version = r.version AND n.coin = g.coin AND n.side = g.side
    WHERE g.chain = {chain:String} AND g.time > toDateTime({from_time:UInt32}, 'UTC') AND g.time <= toDateTime({to_time:UInt32}, 'UTC') AND arrayAll((name, value) -> g.measures[name] >= value, mapKeys(r.least), mapValues(r.least))
    GROUP BY kind, version, coin, side, cooldown, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd
  )
) AS s
WHERE s.told.1 > {from_time:UInt32}
ORDER BY s.told.1, s.kind, s.coin, s.version
