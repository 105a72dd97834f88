-- What signals under way are worth, as if left at the last price with all costs, funding so far included. Grain: one signal in one run. Parameters: chain, through, to_time, open_since (Unix seconds).
-- Sort keys: hl_signals, hl_outcomes and hl_trades (chain, time, …). Entered as outcomes.sql has it, by trades as they happened; null while nobody has traded since, where trades since were not heard (it may be over), and where
-- a rate of funding is not known.
-- at: time and tid in one number: to compare tuples takes eight times as long.
INSERT INTO hl_marks (chain, known_until, id, kind, version, baseline, entry_at, entry_px, mark_px, pnl_usd)
WITH
  toDateTime({open_since:UInt32}, 'UTC') AS since, toDateTime({to_time:UInt32}, 'UTC') AS until,
  opened AS (
    SELECT * FROM hl_signals WHERE chain = {chain:String} AND time > since AND time <= until AND side != 'none' AND id NOT IN (SELECT o.id FROM hl_outcomes AS o WHERE o.chain = {chain:String} AND o.time > since)
  ),
  path AS (
    SELECT s.id AS id, argMin((b.start, b.open), b.start) AS entry, argMax(b.close, b.start) AS mark FROM (SELECT id, toString(coin) AS coin, time, latency_seconds FROM opened) AS s INNER JOIN (
      SELECT toString(t.coin) AS coin, toStartOfMinute(toDateTime(t.time, 'UTC')) AS start, argMin(t.px, bitShiftLeft(toUInt128(toUnixTimestamp64Milli(t.time)), 64) + t.tid AS at) AS open, argMax(t.px, at) AS close FROM hl_trades AS t
      WHERE t.chain = {chain:String} AND t.market = 'perp' AND t.block_number <= {through:UInt64} AND t.time >= greatest(since, (SELECT min(time) FROM opened)) AND t.time < until AND t.coin IN (SELECT coin FROM opened) GROUP BY coin, start
    ) AS b ON b.coin = s.coin
    WHERE b.start >= s.time + s.latency_seconds GROUP BY id
  ),
  rates AS (
    SELECT coin, hours FROM hl_hour_rates(chain = {chain:String}, since = {open_since:UInt32}, until = {to_time:UInt32}, through = {through:UInt64})
  )
SELECT {chain:String}, until, id, kind, version, baseline, if(seen, entry.1, NULL), if(seen, entry.2, NULL), if(seen, mark, NULL),
  if(seen AND length(due) = intDiv({to_time:UInt32}, 3600) - intDiv(toUnixTimestamp(entry.1), 3600), round(quantity_usd * (if(side = 'long', 1, -1) * (ratio - 1 - arraySum(h -> h.2, due)) - cost_bps / 10000 * (1 + ratio)), 6), NULL)
FROM (
  SELECT s.id AS id, s.kind AS kind, s.version AS version, s.baseline AS baseline, s.side AS side, s.quantity_usd AS quantity_usd, s.fee_bps + s.slip_bps AS cost_bps, p.entry AS entry, p.mark AS mark, toFloat64(p.mark) / toFloat64(p.entry.2) AS ratio,
    arrayFilter(h -> h.1 > p.entry.1 AND h.1 <= until, r.hours) AS due, p.mark > 0 AND n.reaches <= s.begins AND e.reaches <= s.begins AS seen
  FROM (
    SELECT *, toString(coin) AS name, '' AS every, toDateTime64(time, 3, 'UTC') AS begins, toDateTime64(until, 3, 'UTC') AS ends FROM opened
  ) AS s
  LEFT JOIN path AS p ON p.id = s.id LEFT JOIN rates AS r ON r.coin = s.name
  ASOF LEFT JOIN (SELECT * FROM hl_unheard(chain = {chain:String}, through = {through:UInt64}, since = {open_since:UInt32})) AS n ON n.coin = s.name AND n.from_time < s.ends
  ASOF LEFT JOIN (SELECT * FROM hl_unheard(chain = {chain:String}, through = {through:UInt64}, since = {open_since:UInt32})) AS e ON e.coin = s.every AND e.from_time < s.ends
)
ORDER BY id
