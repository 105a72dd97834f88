-- How accounts stand, worked out of all fills of the days that count at every look: what stances.sql has to come to. Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds), through.
-- Sort keys: hl_fills (chain, time, …), hl_features (chain, time, coin).
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last, (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers, toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late,
  leaders AS (
    SELECT f.account AS account FROM hl_fills AS f
    WHERE f.chain = {chain:String} AND f.market = 'perp' AND f.block_number <= {through:UInt64} AND f.time >= first - toIntervalDay(toUInt32(numbers['smart_days'])) AND f.time < first AND if(f.heard_at > f.time + late, f.time, f.heard_at) < first
    GROUP BY f.account HAVING sum(toFloat64(f.px) * toFloat64(f.sz)) >= numbers['smart_usd'] AND sum(f.closed_pnl) - sum(f.fee) > 0
    ORDER BY sum(f.closed_pnl) - sum(f.fee) DESC, f.account LIMIT (SELECT toUInt32(argMax(least, revision)['smart_accounts']) FROM hl_signal_rules WHERE kind = 'bars')
  ),
  heard AS (
    SELECT f.account AS account, toString(f.coin) AS coin, f.time AS time, f.tid AS tid, f.start_position AS start, if(f.side = 'buy', f.sz, -f.sz) AS change, toFloat64(f.px) * toFloat64(f.sz) AS usd, if(f.heard_at > f.time + late, f.time, f.heard_at) AS known,
      toUInt32(toUnixTimestamp(toStartOfFiveMinutes(toDateTime(known, 'UTC')))) + 300 AS slot
    FROM hl_fills AS f WHERE f.chain = {chain:String} AND f.market = 'perp' AND f.block_number <= {through:UInt64} AND f.time >= first - toIntervalDay(toUInt32(numbers['smart_days'])) AND f.time < last + INTERVAL 1 DAY AND known < last
  ),
  newest AS (SELECT account, coin, greatest(slot, {from_time:UInt32}) AS at, max(time) AS moment FROM heard GROUP BY account, coin, at),
  left_with AS (
    SELECT h.account AS account, h.coin AS coin, n.at AS at, n.moment AS moment, arraySort(groupArray((h.tid, h.start, h.change))).2 AS befores, arrayMap(one -> one.2 + one.3, arraySort(groupArray((h.tid, h.start, h.change)))) AS afters,
      arrayFirst((b, place) -> place = length(befores) + 1 OR countEqual(befores, b) > countEqual(afters, b), arrayPushBack(befores, befores[1]), arrayEnumerate(arrayPushBack(befores, befores[1]))) + sum(h.change) AS held
    FROM heard AS h INNER JOIN newest AS n ON n.account = h.account AND n.coin = h.coin AND n.moment = h.time AND n.at = greatest(h.slot, {from_time:UInt32})
    GROUP BY h.account, h.coin, n.at, n.moment
  ),
  changes AS (
    SELECT coin, at, account IN (SELECT account FROM leaders) AS smart, held, lagInFrame(held) OVER (PARTITION BY account, coin ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS was
    FROM (SELECT account, coin, at, (max((moment, at, held)) OVER (PARTITION BY account, coin ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)).3 AS held FROM left_with)
  ),
  stances AS (
    SELECT coin, at, sum(held_smart) OVER w AS smart, sum(longs_smart) OVER w AS smart_longs, sum(long_smart) OVER w AS smart_long, sum(short_smart) OVER w AS smart_short, sum(held_all) OVER w AS tracked, sum(longs_all) OVER w AS tracked_longs, sum(long_all) OVER w AS tracked_long, sum(short_all) OVER w AS tracked_short
    FROM (
      SELECT coin, at, sum((held != 0) - toInt64(was != 0)) AS held_all, sum((held > 0) - toInt64(was > 0)) AS longs_all, sum(greatest(held, 0) - greatest(was, 0)) AS long_all, sum(greatest(-held, 0) - greatest(-was, 0)) AS short_all,
        sumIf((held != 0) - toInt64(was != 0), smart) AS held_smart, sumIf((held > 0) - toInt64(was > 0), smart) AS longs_smart, sumIf(greatest(held, 0) - greatest(was, 0), smart) AS long_smart, sumIf(greatest(-held, 0) - greatest(-was, 0), smart) AS short_smart
      FROM changes GROUP BY coin, at
    ) WINDOW w AS (PARTITION BY coin ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  flows AS (
    SELECT coin, arrayJoin(range(slot, slot + 14400, 300)) AS at, sumMap(map(concat(did, if(side > 0, '_long_usd', '_short_usd')), usd)) AS usd
    FROM (
      SELECT coin, slot, usd, start + change AS after, multiIf(start = 0, 'open', after = 0, 'close', sign(start) != sign(after), 'flip', abs(after) > abs(start), 'add', 'reduce') AS did, if(after = 0, sign(start), sign(after)) AS side
      FROM heard WHERE account IN (SELECT account FROM leaders) AND known >= first - INTERVAL 4 HOUR AND time >= first - INTERVAL 4 HOUR - late
    ) GROUP BY coin, at
  )
SELECT p.coin AS coin, toString(p.time) AS time, toUInt32(s.smart) AS smart_accounts, toUInt32(s.smart_longs) AS smart_long_accounts, toFloat64(toString(s.smart_long)) * p.px AS smart_long_usd, toFloat64(toString(s.smart_short)) * p.px AS smart_short_usd,
  toUInt32(s.tracked) AS tracked_accounts, toUInt32(s.tracked_longs) AS tracked_long_accounts, toFloat64(toString(s.tracked_long)) * p.px AS tracked_long_usd, toFloat64(toString(s.tracked_short)) * p.px AS tracked_short_usd, mapSort(f.usd) AS flows
FROM (
  SELECT toString(x.coin) AS coin, x.time AS time, toUnixTimestamp(x.time) AS at, toFloat64(toString(x.px)) AS px FROM hl_features AS x WHERE x.chain = {chain:String} AND x.time > first AND x.time <= last
) AS p
ASOF INNER JOIN stances AS s ON s.coin = p.coin AND s.at <= p.at
LEFT JOIN flows AS f ON f.coin = p.coin AND f.at = p.at
WHERE s.tracked > 0
ORDER BY p.time, p.coin
