-- Positions as a run walked them, with funding paid and the extremes of prices while they were open. Grain: one position (hl_trips). Parameters: chain, run, slices, slice.
-- A payment belongs to the position opened last before it; positions that ended in the moment they began had none. Payments beyond
-- the bound of what is paid (schemas/clickhouse/0043_hyperliquid_bounds.sql), which stood before it did, count for nothing. Extremes are of full minutes within, in spans that
-- cover them, and of the account's own fills, for positions that are over.
-- Sort keys: hl_walked (chain, version), hl_funding_payments (chain, account), hl_prices (chain, coin, span, nth).
INSERT INTO hl_trips
WITH
  walked AS (SELECT * FROM hl_walked WHERE chain = {chain:String} AND version = {run:UInt64} * 2 + 1 AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}),
  paid AS (
    SELECT w.account AS account, w.coin AS coin, w.opened_at AS opened_at, w.tid AS tid, w.extra AS extra, w.part AS part, sum(p.usdc) AS funding, toUInt32(count()) AS fundings
    FROM (SELECT account, coin, time, usdc FROM hl_funding_payments WHERE chain = {chain:String} AND account IN (SELECT account FROM walked) AND abs(usdc) < 1000000000000 LIMIT 1 BY account, coin, time) AS p
    ASOF INNER JOIN (SELECT account, coin, opened_at, closed_at, tid, extra, part FROM walked WHERE closed_at IS NULL OR closed_at > opened_at) AS w ON w.account = p.account AND w.coin = p.coin AND w.opened_at < p.time
    WHERE w.closed_at IS NULL OR p.time <= w.closed_at
    GROUP BY account, coin, opened_at, tid, extra, part
  ),
  units AS (
    SELECT account, coin, opened_at, tid, extra, part, unit.1 AS span, toUInt32(unit.2) AS nth
    FROM (
      SELECT *, [1, 8, 64, 512, 4096]::Array(UInt16) AS spans, intDiv(toUnixTimestamp64Milli(opened_at) + 59999, 60000) AS begin, intDiv(toUnixTimestamp64Milli(assumeNotNull(closed_at)), 60000) AS end,
        arrayMap(s -> intDiv(begin + s - 1, s), spans) AS begins, arrayMap(s -> intDiv(end, s), spans) AS ends
      FROM walked WHERE state = 'closed' AND entry_px IS NOT NULL
    ) ARRAY JOIN arrayFlatten(arrayMap((s, b, e, above, below) -> arrayMap(n -> (s, n), multiIf(b >= e, [], above >= below, range(b, e), arrayConcat(range(b, above * 8), range(below * 8, e)))),
      spans, begins, ends, arrayPushBack(arraySlice(begins, 2), 0), arrayPushBack(arraySlice(ends, 2), 0))) AS unit
  ),
  extremes AS (
    SELECT u.account AS account, u.coin AS coin, u.opened_at AS opened_at, u.tid AS tid, u.extra AS extra, u.part AS part, toFloat64(max(p.high)) AS high, toFloat64(min(p.low)) AS low
    FROM units AS u INNER JOIN (
      SELECT coin, span, nth, max(k.high) AS high, min(k.low) AS low FROM hl_prices AS k WHERE k.chain = {chain:String} AND (k.coin, k.span, k.nth) IN (SELECT coin, span, nth FROM units) GROUP BY coin, span, nth
    ) AS p ON p.coin = u.coin AND p.span = u.span AND p.nth = u.nth
    GROUP BY account, coin, opened_at, tid, extra, part
  )
SELECT w.* REPLACE (
  f.funding AS funding, w.gross - w.fees + f.funding AS net, f.fundings AS fundings,
  if(x.high = 0 OR w.worst IS NULL, NULL, toNullable(greatest(assumeNotNull(w.worst), if(w.side = 'long', 1 - x.low / toFloat64(assumeNotNull(w.entry_px)), x.high / toFloat64(assumeNotNull(w.entry_px)) - 1)))) AS worst,
  if(x.high = 0 OR w.best IS NULL, NULL, toNullable(greatest(assumeNotNull(w.best), if(w.side = 'long', x.high / toFloat64(assumeNotNull(w.entry_px)) - 1, 1 - x.low / toFloat64(assumeNotNull(w.entry_px)))))) AS best)
FROM walked AS w
LEFT ANY JOIN paid AS f ON f.account = w.account AND f.coin = w.coin AND f.opened_at = w.opened_at AND f.tid = w.tid AND f.extra = w.extra AND f.part = w.part
LEFT ANY JOIN extremes AS x ON x.account = w.account AND x.coin = w.coin AND x.opened_at = w.opened_at AND x.tid = w.tid AND x.extra = w.extra AND x.part = w.part
