-- What became of signals that are over by now, each once. Grain: one signal. Parameters: chain, through, to_time (Unix seconds: until when the market is known), open_since (signals before are over).
-- Sort keys: hl_signals, hl_outcomes and hl_trades (chain, time, …), hl_bars (chain, coin, start), hl_funding_rates (chain, coin, time).
-- Prices are those of trades by when they happened, not by when they were heard as in bars: nobody enters at what was paid before the signal. Entered at the first trade latency after the signal; left at the first minute that touches stop or target, the stop where it touches both and the open where it opens beyond the stop; else at the first
-- trade latency after the rule said the opposite; else at the last trade within the horizon. Nobody traded within a horizon: over without an entry. Costs are of both sides, the
-- second of what the position was worth then; funding of every full hour held, the rate the venue listed, else the one its context said last: where an hour has neither, funding is not known and so
-- neither is what was made (null). Amounts are rounded to a millionth of a dollar. It ends at the horizon, or was never entered, once trades of any perp were heard after it: where all are silent nobody hears.
-- What is written is what was heard by then, and never changes. Whether trades of its time were missed is told after it, and may be undone: that is judged by hl_unheard whenever an outcome is read.
-- at: time and tid in one number: to compare tuples takes eight times as long.
INSERT INTO hl_outcomes (chain, id, kind, version, coin, time, side, baseline, entry_at, entry_px, exit_at, exit_px, reason, gross_usd, fee_usd, slip_usd, funding_usd, pnl_usd, mae, mfe, known_until)
WITH
  toDateTime({open_since:UInt32}, 'UTC') AS since, toDateTime({to_time:UInt32}, 'UTC') AS until,
  opened AS (
    SELECT * FROM hl_signals AS s WHERE s.chain = {chain:String} AND s.time > since AND s.time < until AND s.side != 'none' AND s.id NOT IN (SELECT o.id FROM hl_outcomes AS o WHERE o.chain = {chain:String} AND o.time > since)
  ),
  turned AS (
    SELECT s.id AS id, min(g.time) AS at FROM opened AS s INNER JOIN hl_signals AS g ON g.kind = s.kind AND g.version = s.version AND g.coin = s.coin
    WHERE NOT s.baseline AND NOT g.baseline AND g.chain = {chain:String} AND g.time > since AND g.time > s.time AND g.side != s.side AND g.side != 'none' AND g.time < until GROUP BY id
  ),
  path AS (
    SELECT s.id AS id, arraySort(groupArray((b.start, toFloat64(b.open), toFloat64(b.high), toFloat64(b.low), toFloat64(b.close), b.open))) AS minutes
    FROM (SELECT id, toString(coin) AS coin, time, latency_seconds, horizon_minutes FROM opened) AS s INNER JOIN (
      SELECT toString(t.coin) AS coin, toStartOfMinute(toDateTime(t.time, 'UTC')) AS start, argMin(t.px, bitShiftLeft(toUInt128(toUnixTimestamp64Milli(t.time)), 64) + t.tid AS at) AS open, max(t.px) AS high, min(t.px) AS low, argMax(t.px, at) AS close FROM hl_trades AS t
      WHERE t.chain = {chain:String} AND t.market = 'perp' AND t.block_number <= {through:UInt64} AND t.time >= greatest(since, (SELECT min(time) FROM opened)) AND t.time < until AND t.coin IN (SELECT coin FROM opened) GROUP BY coin, start
    ) AS b ON b.coin = s.coin
    WHERE b.start >= s.time + s.latency_seconds AND b.start < s.time + s.latency_seconds + 2 * 60 * s.horizon_minutes GROUP BY id
  ),
  (SELECT max(b.start) FROM hl_bars AS b WHERE b.chain = {chain:String} AND b.trades > 0 AND b.start >= since AND b.start < until) AS tape,
  rates AS (
    SELECT coin, hours FROM hl_hour_rates(chain = {chain:String}, since = {open_since:UInt32}, until = {to_time:UInt32}, through = {through:UInt64})
  )
SELECT {chain:String}, id, kind, version, coin, time, side, baseline, if(entered, entry_at, NULL), if(entered, minutes[1].6, NULL), if(entered, exit_at, time + latency_seconds + 60 * horizon_minutes), if(entered, toDecimal128OrZero(toString(round(exit, 8)), 18), NULL), if(entered, why, 'horizon'),
  if(entered, round(gross, 6), NULL), if(entered, round(fee, 6), NULL), if(entered, round(slip, 6), NULL), if(entered, round(paid, 6), NULL), if(entered, round(gross - fee - slip + paid, 6), NULL),
  if(entered, round(least(0, arrayMin(arrayPushBack(arrayMap(m -> if(sign > 0, m.4, -m.3), way), sign * exit)) / entry - sign), 9), NULL), if(entered, round(greatest(0, arrayMax(arrayPushBack(arrayMap(m -> if(sign > 0, m.3, -m.4), way), sign * exit)) / entry - sign), 9), NULL), until
FROM (
  -- One step in a query of its own, the innermost first: the planner works an alias out wherever it is named, and what is named in what is named multiplies.
  SELECT *, if(length(due) = intDiv(toUnixTimestamp(exit_at), 3600) - intDiv(toUnixTimestamp(entry_at), 3600), 0 - sign * quantity * arraySum(h -> h.2, due), NULL) AS paid
  FROM (
    SELECT *, sign * (exit / entry - 1) * quantity AS gross, quantity * fee_bps / 10000 * (1 + exit / entry) AS fee, quantity * slip_bps / 10000 * (1 + exit / entry) AS slip, arrayFilter(h -> h.1 > entry_at AND h.1 <= exit_at, hours) AS due
    FROM (
      SELECT *, multiIf(why = 'stop', if(sign > 0, least(held[hit].2, stop_px), greatest(held[hit].2, stop_px)), why = 'target', target_px, why = 'reverse', turn.2, arrayFilter(m -> m.1 < ends, minutes)[-1].5) AS exit,
        multiIf(hit > 0, held[hit].1, why = 'reverse', turn.1, ends) AS exit_at, if(hit > 0, arraySlice(held, 1, hit - 1), held) AS way, why != 'horizon' OR least(until, tape) >= if(entered, ends, time + latency_seconds + 60 * horizon_minutes) AS over
      FROM (
        SELECT *, multiIf(hit > 0 AND if(sign > 0, held[hit].4 <= stop_px, held[hit].3 >= stop_px), 'stop', hit > 0, 'target', turn.1 > toDateTime(0, 'UTC') AND turn.1 < ends, 'reverse', 'horizon') AS why
        FROM (
          SELECT *, arrayFirstIndex(m -> if(sign > 0, m.4 <= stop_px OR m.3 >= target_px, m.3 >= stop_px OR m.4 <= target_px), held) AS hit, arrayFirst(m -> m.1 >= turns, minutes) AS turn
          FROM (
            SELECT *, arrayFilter(m -> m.1 < least(ends, turns), minutes) AS held, entry * (1 - sign * stop) AS stop_px, entry * (1 + sign * target) AS target_px
            FROM (
              SELECT *, notEmpty(minutes) AND entry_at <= time + latency_seconds + 60 * horizon_minutes AS entered, entry_at + 60 * horizon_minutes AS ends
              FROM (
                SELECT s.id AS id, toString(s.kind) AS kind, toString(s.version) AS version, toString(s.coin) AS coin, s.time AS time, s.side AS side, s.baseline AS baseline, s.latency_seconds AS latency_seconds, s.horizon_minutes AS horizon_minutes,
                  s.stop AS stop, s.target AS target, s.quantity_usd AS quantity, s.fee_bps AS fee_bps, s.slip_bps AS slip_bps, if(s.side = 'long', 1, -1) AS sign, p.minutes AS minutes, minutes[1].1 AS entry_at, minutes[1].2 AS entry,
                  if(t.at > toDateTime(0, 'UTC'), t.at + s.latency_seconds, toDateTime('2100-01-01', 'UTC')) AS turns, r.hours AS hours
                FROM opened AS s LEFT JOIN path AS p ON p.id = s.id LEFT JOIN turned AS t ON t.id = s.id LEFT JOIN rates AS r ON r.coin = s.coin
              )
            )
          )
        )
      )
    )
  )
)
WHERE over ORDER BY time, kind, coin, version, id
