-- What the positions of accounts came to within the window: metrics of closing. Grain: one metric of one account. Parameters: chain, run, until (Unix milliseconds), slices, slice.
-- Sums are of all positions, those that are open with what closing parts of them earned; shares and means of whole ones that are closed. funding_share: of funding
-- and what trading made or lost, so that a small result of two large ones does not look like earnings from funding. efficiency: net result by traded volume. funding_known: of the hours that positions lasted, those that are open up to now. Of one that is open and was filled last
-- before the window the payments within it count, and its hours within it are due; nothing else of it counts, and nothing at all where neither a payment nor what the venue said of the account shows within the window that it is held: its close may not have been heard. Perps of the venue alone. truncated: positions that began before what is
-- known, and one more where a gap in the account's own fills stands within the window.
-- Sort keys: hl_walks (chain, run), hl_trips and hl_funding_payments (chain, account), hl_gaps (chain, time, …), which is small.
INSERT INTO hl_measured (chain, run, account, metric, value, samples)
WITH
  (SELECT argMax(numbers, version)['positions'] FROM hl_trader_rules WHERE rule = 'samples') AS enough,
  fromUnixTimestamp64Milli({until:Int64}, 'UTC') AS ends, ends - toIntervalDay(assumeNotNull((SELECT toUInt16(argMax(numbers, version)['days']) FROM hl_trader_rules WHERE rule = 'window'))) AS since,
  weekly AS (
    SELECT account, countIf(usd > 0) / count() AS green FROM (
      SELECT account, toMonday(last_at) AS week, sum(toFloat64(net)) AS usd FROM hl_trips FINAL
      WHERE chain = {chain:String} AND account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}) AND market = 'perp' AND last_at > since GROUP BY account, week
    ) GROUP BY account
  ),
  -- What was paid within the window for positions that were filled last before it.
  paid AS (
    SELECT account, toString(coin) AS coin, toUInt32(count()) AS payments, sum(usdc) AS usd FROM (
      SELECT p.account AS account, p.coin AS coin, p.time AS time, p.usdc AS usdc FROM hl_funding_payments AS p
      WHERE p.chain = {chain:String} AND p.market = 'perp' AND abs(p.usdc) < 1000000000000 AND intDiv(toUnixTimestamp64Milli(p.time), 3600000) > intDiv(toUnixTimestamp64Milli(since), 3600000) AND p.time <= ends AND (p.account, p.coin) IN (
        SELECT k.account, k.coin FROM hl_trips AS k FINAL
        WHERE k.chain = {chain:String} AND k.account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}) AND k.market = 'perp' AND k.state = 'open' AND k.last_at <= since
      ) LIMIT 1 BY p.account, p.coin, p.time
    ) GROUP BY account, coin
  ),
  -- Whose fills were not all heard: what the venue no longer kept, or nobody answered.
  lacking AS (
    SELECT DISTINCT lower(g.coin) AS account FROM hl_standing_gaps AS g
    WHERE g.chain = {chain:String} AND g.channel IN ('history', 'userFills') AND startsWith(g.coin, '0x') AND (g.state = 'waits' OR g.to_time > since)
  )
SELECT {chain:String}, {run:UInt64}, r.account, m.1, m.2, m.3
FROM (
  SELECT account, countIf(whole) AS n, countIf(whole AND t.net > 0) AS wins, sumIf(usd, whole AND usd > 0) AS won, -sumIf(usd, whole AND usd < 0) AS lost,
    toFloat64(sum(if(recent, t.net, t.came))) AS net, toFloat64(sumIf(t.gross, recent)) AS gross, toFloat64(sumIf(t.fees, recent)) AS fees, toFloat64(sum(t.came)) AS funding, -minIf(usd, whole) AS worst, maxIf(usd, whole) AS best,
    quantileExactIf(0.5)(assumeNotNull(t.hold_seconds), whole) AS hold, sumIf(assumeNotNull(t.hold_seconds) * t.largest_usd, whole) / sumIf(t.largest_usd, whole) AS mean_hold, countIf(whole AND t.added_badly > 0) AS badly, countIf(t.forced > 0 AND recent) AS forced, countIf(t.gap = 'start' AND recent) AS cut,
    sum(least(t.told, t.lasted)) AS heard, sum(t.lasted) AS due, quantileExactIf(0.5)(t.largest_usd, recent) AS size, sumIf(t.volume_usd, recent) AS traded, maxIf(assumeNotNull(t.worst), t.worst IS NOT NULL AND recent) AS against, countIf(t.worst IS NOT NULL AND recent) AS watched,
    quantileExactIf(0.5)(t.volume_usd / t.fills, whole) AS slice_usd
  FROM (
    SELECT x.*, x.last_at > since AS recent, x.state = 'closed' AND x.gap = 'none' AS whole, toFloat64(x.net) AS usd, if(recent, x.fundings, p.payments) AS told, if(recent, x.funding, p.usd) AS came,
      if(x.state = 'open', toUInt32(intDiv(greatest({until:Int64}, toUnixTimestamp64Milli(x.last_at)), 3600000) - intDiv(toUnixTimestamp64Milli(if(recent, x.opened_at, since)), 3600000)), x.hours) AS lasted
    FROM (
      SELECT * FROM hl_trips FINAL
      WHERE chain = {chain:String} AND account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}) AND market = 'perp' AND (state = 'open' OR last_at > since)
    ) AS x LEFT ANY JOIN paid AS p ON p.account = x.account AND p.coin = toString(x.coin)
    WHERE recent OR p.payments > 0 OR (x.account, x.coin) IN (
      SELECT q.account, q.coin FROM hl_positions AS q
      WHERE q.chain = {chain:String} AND q.account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}) AND q.market = 'perp' AND q.time > since AND q.time <= ends AND q.szi != 0
    )
  ) AS t GROUP BY account
) AS r LEFT ANY JOIN weekly AS w ON w.account = r.account
ARRAY JOIN arrayFilter(one -> isFinite(one.2) AND one.3 >= one.4, [
  ('net_usd', r.net, r.n, 0), ('gross_usd', r.gross, r.n, 0), ('fees_usd', r.fees, r.n, 0), ('funding_usd', r.funding, r.n, 0), ('trips', r.n, r.n, 0), ('wins', r.wins, r.n, 0), ('liquidations', r.forced, r.n, 0), ('truncated', r.cut + (concat('0x', lower(hex(r.account))) IN (SELECT account FROM lacking)), r.n, 0),
  ('median_hold_seconds', r.hold, r.n, 1), ('mean_hold_seconds', r.mean_hold, r.n, 1), ('funding_known', r.heard / r.due, r.due, 1), ('typical_usd', r.size, r.n, 0), ('typical_fill_usd', r.slice_usd, r.n, 1), ('worst_excursion', r.against, r.watched, 1),
  ('win_rate', r.wins / r.n, r.n, enough), ('profit_factor', r.won / r.lost, r.n, enough), ('payoff', (r.won / r.wins) / (r.lost / (r.n - r.wins)), r.n, enough),
  ('expectancy_usd', (r.won - r.lost) / r.n, r.n, enough), ('efficiency', r.net / r.traded, r.n, enough), ('worst_loss', r.worst / (r.won / r.wins), r.n, enough), ('best_share', if(r.won > r.lost, r.best / (r.won - r.lost), nan), r.n, enough),
  ('adds_to_losers', r.badly / r.n, r.n, enough), ('funding_share', if(r.funding > 0, r.funding / (abs(r.gross - r.fees) + r.funding), nan), r.n, enough), ('green_weeks', w.green, r.n, enough)]::Array(Tuple(String, Float64, UInt64, Float64))) AS m
