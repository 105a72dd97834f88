-- What signals under way are worth, as if left at the last price with all costs, funding so far included. Grain: one signal in one run. Parameters: chain, through, to_time, open_since (Unix seconds).
-- Sort keys: hl_signals, hl_outcomes (chain, time, …), hl_bars (chain, coin, start). Entered as outcomes.sql has it; null while nobody has traded since.
INSERT INTO hl_marks (chain, known_until, id, kind, version, baseline, entry_at, entry_px, mark_px, pnl_usd)
WITH
  toDateTime({open_since:UInt32}, 'UTC') AS since, toDateTime({to_time:UInt32}, 'UTC') AS until,
  path AS (
    SELECT s.id AS id, argMin((b.start, b.open), b.start) AS entry, argMax(b.close, b.start) AS mark FROM hl_signals AS s INNER JOIN hl_bars AS b ON b.coin = s.coin
    WHERE s.chain = {chain:String} AND s.time > since AND s.time <= until AND s.side != 'none' AND b.chain = {chain:String} AND b.trades > 0 AND b.start >= since AND b.start < until AND b.start >= s.time + s.latency_seconds GROUP BY id
  ),
  rates AS (
    SELECT coin, hours FROM hl_hour_rates(chain = {chain:String}, since = {open_since:UInt32}, until = {to_time:UInt32}, through = {through:UInt64})
  )
SELECT {chain:String}, until, s.id, s.kind, s.version, s.baseline, if(p.mark > 0, p.entry.1, NULL), if(p.mark > 0, p.entry.2, NULL), if(p.mark > 0, p.mark, NULL), if(p.mark > 0, round(s.quantity_usd * (if(s.side = 'long', 1, -1) * (ratio - 1 - arraySum(h -> if(h.1 > p.entry.1, h.2, 0), r.hours)) - (s.fee_bps + s.slip_bps) / 10000 * (1 + ratio)), 6), NULL)
FROM hl_signals AS s LEFT JOIN (SELECT *, toFloat64(mark) / toFloat64(entry.2) AS ratio FROM path) AS p ON p.id = s.id LEFT JOIN rates AS r ON r.coin = s.coin
WHERE s.chain = {chain:String} AND s.time > since AND s.time <= until AND s.side != 'none' AND s.id NOT IN (SELECT o.id FROM hl_outcomes AS o WHERE o.chain = {chain:String} AND o.time > since)
ORDER BY s.id
