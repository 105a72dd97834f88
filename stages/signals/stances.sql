-- How accounts stand in each perp every five minutes, by their fills known before that time and no later ones: leaders against all whose fills are heard. Grain: one coin at one time at
-- which it has a price and anybody holds anything. Parameters: chain, from_time, to_time (Unix seconds), through. Sort keys: hl_holdings (chain, base, account, coin, look), hl_leading (chain, look, …), hl_fills (chain, time, …), hl_features (chain, time, coin).
-- A position is what the newest fill of its account and coin left, of the days in which leaders are looked for. One starts from what was held when the look began, and reads the fills known since. Fills of one moment
-- have no order of their own: what was held before them is where one starts and none ends. Positions are added up in units of the coin, exact, change by change.
INSERT INTO hl_stances (chain, coin, time, smart_accounts, smart_long_accounts, smart_long_usd, smart_short_usd, tracked_accounts, tracked_long_accounts, tracked_long_usd, tracked_short_usd, flows)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last, (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers, toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late,
  leaders AS (SELECT l.account FROM hl_leading AS l WHERE l.chain = {chain:String} AND l.look = first),
  heard AS (
    SELECT f.account AS account, toString(f.coin) AS coin, f.time AS time, f.tid AS tid, f.extra AS extra, f.start_position AS start, if(f.side = 'buy', f.sz, -f.sz) AS change, toFloat64(f.px) * toFloat64(f.sz) AS usd, if(f.heard_at > f.time + late, f.time, f.heard_at) AS known,
      toUInt32(toUnixTimestamp(toStartOfFiveMinutes(toDateTime(known, 'UTC')))) + 300 AS slot
    FROM hl_fills AS f WHERE f.chain = {chain:String} AND f.market = 'perp' AND f.block_number <= {through:UInt64} AND f.time >= first - INTERVAL 4 HOUR - late AND f.time < last + INTERVAL 1 DAY AND known >= first - INTERVAL 4 HOUR AND known < last
  ),
  told AS (
    SELECT account, coin, slot AS at, max(time) AS moment, arraySort(arrayFilter(one -> one.1 = moment, groupArray((time, tid, extra, start, change)))) AS fills, fills.4 AS befores, arrayMap(one -> one.4 + one.5, fills) AS afters,
      arrayFirst((b, place) -> place = length(befores) + 1 OR countEqual(befores, b) > countEqual(afters, b), arrayPushBack(befores, befores[1]), arrayEnumerate(arrayPushBack(befores, befores[1]))) + arraySum(fills.5) AS held
    FROM heard WHERE known >= first GROUP BY account, coin, slot
  ),
  moves AS (
    SELECT account, coin, at, held, lagInFrame(held) OVER (PARTITION BY account, coin ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS was
    FROM (
      SELECT account, coin, at, (max((moment, at, held)) OVER (PARTITION BY account, coin ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)).3 AS held FROM (
        SELECT account, coin, at, moment, held FROM told
        UNION ALL SELECT account, coin, {from_time:UInt32}, newest, holds FROM hl_held(chain = {chain:String}, from_time = {from_time:UInt32}) WHERE (account, coin) IN (SELECT account, coin FROM told)
      )
    )
  ),
  changes AS (
    SELECT coin, {from_time:UInt32} AS at, account IN (SELECT account FROM leaders) AS smart, holds AS held, holds - holds AS was FROM hl_held(chain = {chain:String}, from_time = {from_time:UInt32})
    UNION ALL SELECT coin, at, account IN (SELECT account FROM leaders), held, was FROM moves WHERE at > {from_time:UInt32}
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
      FROM heard WHERE account IN (SELECT account FROM leaders)
    ) GROUP BY coin, at
  )
SELECT {chain:String}, p.coin, p.time, s.smart, s.smart_longs, toFloat64(toString(s.smart_long)) * p.px, toFloat64(toString(s.smart_short)) * p.px, s.tracked, s.tracked_longs, toFloat64(toString(s.tracked_long)) * p.px, toFloat64(toString(s.tracked_short)) * p.px, f.usd
FROM (
  SELECT toString(x.coin) AS coin, x.time AS time, toUnixTimestamp(x.time) AS at, toFloat64(toString(x.px)) AS px FROM hl_features AS x WHERE x.chain = {chain:String} AND x.time > first AND x.time <= last
) AS p
ASOF INNER JOIN stances AS s ON s.coin = p.coin AND s.at <= p.at
LEFT JOIN flows AS f ON f.coin = p.coin AND f.at = p.at
WHERE s.tracked > 0
ORDER BY p.time, p.coin
