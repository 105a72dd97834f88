-- How one-sided accounts stand while they hold anything: metrics of exposure. Grain: one metric of one account. Parameters: chain, run, until (Unix milliseconds), slices, slice.
-- Each position weighs its largest dollars from its first fill to its last (or to now; one that is open and was filled last before the window up to the last hour in which a payment, or what the venue said of the account, shows that it is held, and without such an hour nothing: its close may not have been heard). net_to_gross: median over the time in which anything is held; directional_days:
-- share of days with anything held on which it is at least the directional rule's, on the time's average. Balances of spot count as long
-- while perps are held: what was held of a coin after a fill of it, at that fill's price, until the next. What came or went without a fill is not seen,
-- nor are fills beyond the bounds of sizes (schemas/clickhouse/0043_hyperliquid_bounds.sql) that stood before these did.
-- Sort keys: hl_walks (chain, run), hl_trips, hl_account_fills, hl_funding_payments and hl_positions (chain, account).
INSERT INTO hl_measured (chain, run, account, metric, value, samples)
WITH
  (SELECT argMax(numbers, version)['net_to_gross'] FROM hl_trader_rules WHERE rule = 'directional') AS one_sided, (SELECT argMax(numbers, version)['positions'] FROM hl_trader_rules WHERE rule = 'samples') AS enough,
  fromUnixTimestamp64Milli({until:Int64}, 'UTC') AS ends, ends - toIntervalDay(assumeNotNull((SELECT toUInt16(argMax(numbers, version)['days']) FROM hl_trader_rules WHERE rule = 'window'))) AS since,
  judged AS (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}),
  -- Filled last before the window: the end of the last hour of it that shows that they are held.
  old AS (
    SELECT s.account AS account, toString(s.coin) AS coin, least(ends, toStartOfHour(max(s.time)) + INTERVAL 1 HOUR) AS shown
    FROM (
      SELECT p.account AS account, p.coin AS coin, p.time AS time FROM hl_funding_payments AS p WHERE p.chain = {chain:String} AND p.account IN (SELECT account FROM judged) AND p.market = 'perp' AND p.time > since AND p.time <= ends
      UNION ALL
      SELECT q.account, q.coin, q.time FROM hl_positions AS q WHERE q.chain = {chain:String} AND q.account IN (SELECT account FROM judged) AND q.market = 'perp' AND q.time > since AND q.time <= ends AND q.szi != 0
    ) AS s
    WHERE (s.account, s.coin) IN (SELECT k.account, k.coin FROM hl_trips AS k FINAL WHERE k.chain = {chain:String} AND k.account IN (SELECT account FROM judged) AND k.market = 'perp' AND k.state = 'open' AND k.last_at <= since)
    GROUP BY account, coin
  ),
  stretches AS (
    SELECT account, at, sum(signed) OVER w AS net, sum(usd) OVER w AS gross, sum(perps) OVER w AS perps, leadInFrame(at, 1, at) OVER (PARTITION BY account ORDER BY at ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS until, sum(trips) OVER (PARTITION BY account) AS trips
    FROM (
      SELECT account, at, sum(one.signed) AS signed, sum(one.usd) AS usd, sumIf(one.usd, one.perp) AS perps, countIf(one.usd > 0 AND one.perp) AS trips
      FROM (
        SELECT t.account AS account, change.1 AS at, change.2 AS usd, if(t.side = 'long', 1, -1) * usd AS signed, true AS perp FROM (
          SELECT x.account AS account, x.side AS side, x.opened_at AS opened_at, x.largest_usd AS largest_usd, multiIf(x.state != 'open', x.last_at, x.last_at > since, ends, o.shown) AS ended
          FROM (SELECT * FROM hl_trips FINAL WHERE chain = {chain:String} AND account IN (SELECT account FROM judged) AND market = 'perp' AND (state = 'open' OR last_at > since)) AS x LEFT ANY JOIN old AS o ON o.account = x.account AND o.coin = toString(x.coin)
        ) AS t
        ARRAY JOIN [(greatest(t.opened_at, since), t.largest_usd), (t.ended, -t.largest_usd)] AS change
        WHERE t.ended > since
        UNION ALL
        SELECT account, greatest(time, since), worth - lagInFrame(worth) OVER (PARTITION BY account, coin ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS change, change, false FROM (
          SELECT f.account AS account, f.coin AS coin, f.time AS time, toFloat64(any(f.px)) * greatest(0, if(countIf(f.side = 'sell') = 0, max(toFloat64(f.start_position + f.sz)), min(toFloat64(f.start_position - f.sz)))) AS worth FROM hl_account_fills AS f
          WHERE f.chain = {chain:String} AND f.account IN (SELECT account FROM judged) AND f.market = 'spot'
            AND f.sz < 1000000000000000000 AND abs(f.start_position) < 1000000000000000000 GROUP BY account, coin, time
        )
      ) AS one GROUP BY account, at
    ) WINDOW w AS (PARTITION BY account ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  daily AS (
    SELECT account, day, any(trips) AS trips, groupArray((least(1, abs(net) / gross), toUInt64(dateDiff('millisecond', greatest(at, toDateTime64(day, 3, 'UTC')), least(until, toDateTime64(day + 1, 3, 'UTC')))))) AS ratios
    FROM stretches ARRAY JOIN arrayMap(n -> toDate(at) + n, range(toUInt32(dateDiff('day', toDate(at), toDate(until)) + 1))) AS day
    WHERE perps > 0.01 AND until > at GROUP BY account, day
  )
SELECT {chain:String}, {run:UInt64}, account, m.1, m.2, trips
FROM (
  SELECT account, any(trips) AS trips, quantileExactWeightedArray(0.5)(ratios.1, ratios.2) AS typical, avg(arraySum(r -> r.1 * r.2, ratios) / arraySum(ratios.2) >= one_sided) AS days FROM daily GROUP BY account
)
ARRAY JOIN arrayFilter(one -> isFinite(one.2) AND trips >= enough, [('net_to_gross', typical), ('directional_days', days)]::Array(Tuple(String, Float64))) AS m
