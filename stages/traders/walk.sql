-- Positions from flat to flat of the coins of accounts that a run walks anew, by their fills alone. Grain: one position (hl_trips says what each column is).
-- Parameters: chain, run, slices, slice (accounts by hash). Sort keys: hl_walks (chain, run), hl_account_fills (chain, account, coin, time).
-- Fills of one moment have no order of their own: each starts where another ended, so those of one side go by what was held before, and those of both sides are
-- laid end to end, from where the moment before ended, with round trips put in where they begin. Of a trade with oneself the venue says one id and the
-- same start for both sides: the closing one comes first, and the other starts where it ends. A fill across zero is two parts, its fee shared by size, in whole numbers of its last digit: decimals divided by decimals overflow where these do not.
-- worst and best are here by the account's own prices alone. Fills beyond the bounds of schemas/clickhouse/0043_hyperliquid_bounds.sql, which stood before these did, and those of nothing, are as if nobody had heard them, and a
-- result that does not fit its type is as the venue says: nothing that stands fails a run.
INSERT INTO hl_walked (chain, account, coin, market, opened_at, tid, extra, part, side, state, flipped, clean, gap, closed_at, last_at, fills, opened_sz, closed_sz, largest_sz, held, entry_px, exit_px,
  largest_usd, volume_usd, maker_usd, gross, fees, funding, net, fundings, hours, hold_seconds, worst, best, added, added_badly, forced, adl, taker_fills, version, deleted)
WITH
  (SELECT argMax(numbers, version)['adverse'] FROM hl_trader_rules WHERE rule = 'steamroller') AS adverse,
  toInt256(1000000000000000000) AS units,
  pairs AS (SELECT w.account AS account, toString(w.coin) AS coin, max(w.since) AS since FROM hl_walks AS w
    WHERE w.chain = {chain:String} AND w.run = {run:UInt64} AND w.coin != '' AND cityHash64(w.account) % {slices:UInt32} = {slice:UInt32} GROUP BY w.account, w.coin),
  -- One step in a query of its own: the planner works an alias out wherever it is named, and what is named in what is named multiplies.
  told AS (
    SELECT f.account AS account, f.coin AS coin, any(f.market) AS market, f.time AS time,
      arraySort(e -> (e.1, e.9, e.10), groupArray((f.start_position, f.start_position + if(f.side = 'buy', f.sz, -f.sz), f.px, f.fee, f.closed_pnl, f.crossed, f.forced, f.dir = 'Auto-Deleveraging', f.tid, f.extra))) AS said
    FROM hl_account_fills AS f INNER JOIN pairs AS p ON p.account = f.account AND p.coin = f.coin
    WHERE f.chain = {chain:String} AND f.account IN (SELECT account FROM pairs) AND f.market != 'spot' AND f.sz != 0 AND f.time >= p.since
      AND f.sz < 1000000000000000000 AND abs(f.start_position) < 1000000000000000000 AND abs(f.closed_pnl) < 1000000000000 AND abs(f.fee) < 1000000000000 AND toFloat64(f.px) * toFloat64(f.sz) <= 1e12
    GROUP BY f.account, f.coin, f.time
  ),
  directed AS (SELECT *, arrayAll(e -> e.2 >= e.1, said) AS up, arrayAll(e -> e.2 <= e.1, said) AS down FROM told),
  listed AS (
    SELECT *, if(up OR down, said, arraySort(e -> (e.1, e.9, e.10), arrayMap(e -> if((sign(e.2 - e.1) = sign(e.1) OR (e.1 = 0 AND e.2 < 0)) AND arrayExists(o -> o.1 = e.1 AND o.9 = e.9 AND o.3 = e.3 AND o.2 - o.1 = e.1 - e.2, said),
      (e.1 + e.1 - e.2, e.1, e.3, e.4, e.5, e.6, e.7, e.8, e.9, e.10), e), said))) AS heard
    FROM directed
  ),
  moments AS (
    SELECT *, multiIf(up, toNullable(arrayMax(afters)), down, toNullable(arrayMin(afters)), arrayExists(v -> countEqual(afters, v) > countEqual(befores, v), afters), toNullable(arrayFirst(v -> countEqual(afters, v) > countEqual(befores, v), afters)), NULL) AS ends
    FROM (SELECT *, heard.1 AS befores, heard.2 AS afters FROM listed)
  ),
  ordered AS (
    SELECT account, coin, market, time, multiIf(up, heard, down, arrayReverse(heard), arrayMap(i -> heard[i], arrayFold((past, n) -> arrayMap(pick ->
        (arrayFilter(x -> x != pick.1, past.1), arrayConcat(arraySlice(past.2, 1, pick.2 - 1), [pick.1], arraySlice(past.2, pick.2)), toUInt32(pick.2 + 1), afters[pick.1]),
        [multiIf(arrayExists(x -> befores[x] = past.4, past.1), (arrayFirst(x -> befores[x] = past.4, past.1), past.3),
          arrayExists(x -> arrayExists(c -> befores[c] = befores[x], past.2), past.1), (arrayFirst(x -> arrayExists(c -> befores[c] = befores[x], past.2), past.1),
            toUInt32(arrayFirstIndex(c -> befores[c] = befores[arrayFirst(x -> arrayExists(d -> befores[d] = befores[x], past.2), past.1)], past.2))),
          (past.1[1], toUInt32(length(past.2) + 1)))])[1],
      heard, (arrayEnumerate(heard), []::Array(UInt32), toUInt32(1), multiIf(
        arrayExists(v -> countEqual(befores, v) > countEqual(afters, v), befores), arrayFirst(v -> countEqual(befores, v) > countEqual(afters, v), befores),
        has(befores, assumeNotNull(ended)), assumeNotNull(ended), has(befores, toDecimal128(0, 18)), toDecimal128(0, 18), befores[1]))).2)) AS fills
    FROM (SELECT *, anyLast(ends) OVER (PARTITION BY account, coin ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended FROM moments)
  ),
  parts AS (
    SELECT account, coin, market, time, place, fill.3 AS px, fill.6 AS crossed, fill.7 AS was_forced, fill.8 AS was_adl, fill.9 AS fill_tid, fill.10 AS fill_extra,
      cut.1 AS before, cut.2 AS after, cut.3 AS cost, cut.4 AS pnl, cut.5 AS half, abs(after - before) AS sz, abs(after) > abs(before) AS opening
    FROM ordered ARRAY JOIN fills AS fill, arrayEnumerate(fills) AS place
    ARRAY JOIN if(sign(fill.1) * sign(fill.2) = -1, arrayMap(share -> [(fill.1, toDecimal128(0, 18), share, fill.5, toUInt8(1)), (toDecimal128(0, 18), fill.2, fill.4 - share, toDecimal128(0, 18), toUInt8(2))],
      [toDecimal128(toDecimal256(intDiv(toInt256(toDecimal256(fill.4, 18) * units) * toInt256(toDecimal256(abs(fill.1), 18) * units), toInt256(toDecimal256(abs(fill.2 - fill.1), 18) * units)), 18) / units, 18)])[1], [(fill.1, fill.2, fill.4, fill.5, toUInt8(0))]) AS cut
  ),
  numbered AS (
    SELECT *, sum(begins) OVER (PARTITION BY account, coin ORDER BY time, place, half ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS nth
    FROM (
      SELECT *, seen > 1 AND before != prior AS hole, seen = 1 OR before = 0 OR (hole AND sign(before) != sign(prior)) AS begins
      FROM (SELECT *, row_number() OVER w AS seen, lagInFrame(after) OVER w AS prior FROM parts WINDOW w AS (PARTITION BY account, coin ORDER BY time, place, half ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))
    )
  ),
  averaged AS (
    SELECT *, toFloat64(px) AS price, if(opening, price * toFloat64(sz), 0) AS opened_usd, sum(opened_usd) OVER t AS entered_usd, sum(if(opening, toFloat64(sz), 0)) OVER t AS entered_sz
    FROM numbered WINDOW t AS (PARTITION BY account, coin, nth ORDER BY time, place, half ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  )
SELECT {chain:String}, account, coin, market, opened_at, first.1, first.2, first.3, if(sense = 1, 'long', 'short'), state, state = 'closed' AND flips > 0, first.4 = 0 AND place_first = 1 AND first.3 = 0, gap, if(state = 'closed', toNullable(last_at), NULL), last_at,
  fills, opened_sz, closed_sz, largest_sz, held, if(entry = 0, NULL, toNullable(entered)), if(closed_sz = 0, NULL, accurateCastOrNull(closed_ntl / toDecimal256(closed_sz, 18), 'Decimal(38, 18)')), largest_usd, volume_usd, maker_usd,
  gross, fees, toDecimal128(0, 18), gross - fees, 0, toUInt32(intDiv(toUnixTimestamp64Milli(last_at), 3600000) - intDiv(toUnixTimestamp64Milli(opened_at), 3600000)), if(whole, toNullable((closed_when - opened_when) / toFloat64(closed_sz)), NULL),
  if(entry = 0, NULL, toNullable(greatest(0, if(sense = 1, 1 - lowest / entry, highest / entry - 1)))), if(entry = 0, NULL, toNullable(greatest(0, if(sense = 1, highest / entry - 1, 1 - lowest / entry)))),
  added, added_badly, forced, adl, taker_fills, {run:UInt64} * 2 + 1, 0
FROM (
  SELECT *, state = 'closed' AND gap = 'none' AS whole, if(whole, ifNull(accurateCastOrNull(sense * (closed_ntl - opened_ntl), 'Decimal(38, 18)'), said), said) AS gross, if(gap = 'start' OR opened_sz = 0, toDecimal128(0, 18), ifNull(accurateCastOrNull(opened_ntl / toDecimal256(opened_sz, 18), 'Decimal(38, 18)'), toDecimal128(0, 18))) AS entered, toFloat64(entered) AS entry
  FROM (
    SELECT *, multiIf(held = 0, 'closed', nth = max(nth) OVER (PARTITION BY account, coin), 'open', 'lost') AS state, multiIf(first.4 != 0, 'start', holes > 0, 'middle', 'none') AS gap
    FROM (
      SELECT account, toString(coin) AS coin, any(market) AS market, nth, min(time) AS opened_at, max(time) AS last_at, argMin((fill_tid, fill_extra, half = 2, before), (time, place, half)) AS first, argMin(place, (time, place, half)) AS place_first,
        argMin(toInt8(if(opening, sign(after), sign(before))), (time, place, half)) AS sense, argMax(after, (time, place, half)) AS held, countIf(half = 1) AS flips, countIf(hole AND NOT begins) AS holes, toUInt32(count()) AS fills,
        sumIf(sz, opening) AS opened_sz, sumIf(sz, NOT opening) AS closed_sz, max(greatest(abs(before), abs(after))) AS largest_sz,
        sumIf(toDecimal256(px, 18) * toDecimal256(sz, 18), opening) AS opened_ntl, sumIf(toDecimal256(px, 18) * toDecimal256(sz, 18), NOT opening) AS closed_ntl,
        max(price * toFloat64(greatest(abs(before), abs(after)))) AS largest_usd, sum(price * toFloat64(sz)) AS volume_usd, sumIf(price * toFloat64(sz), NOT crossed) AS maker_usd, sum(pnl) AS said, sum(cost) AS fees,
        sumIf(toUnixTimestamp64Milli(time) / 1000 * toFloat64(sz), opening) AS opened_when, sumIf(toUnixTimestamp64Milli(time) / 1000 * toFloat64(sz), NOT opening) AS closed_when, max(price) AS highest, min(price) AS lowest,
        toUInt32(countIf(opening AND NOT begins)) AS added, toUInt32(countIf(opening AND entered_sz > 0 AND sign(after) * (price - entered_usd / entered_sz) < -adverse * entered_usd / entered_sz)) AS added_badly,
        toUInt32(countIf(was_forced)) AS forced, toUInt32(countIf(was_adl)) AS adl, toUInt32(countIf(crossed)) AS taker_fills
      FROM averaged GROUP BY account, coin, nth
    )
  )
)
