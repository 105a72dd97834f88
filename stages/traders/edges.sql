-- What prices did after accounts opened, and what was left for one who followed them late: metrics of foresight. Grain: one metric of one account.
-- Parameters: chain, run, until (Unix milliseconds), slices, slice. markout: of the price an hour after opening, towards the position; markout_t: its mean by its error.
-- edge_after_cost: mean over positions of entering and leaving `delay_seconds` after them as a taker, less fees, slippage of `follower_usd` in the coin's newest book of a day
-- (unknown_slip, and no less than the spread, where there is none or it does not show so far) and funding: what was paid where all payments were heard, else by the coin's rates, of each of its hours; positions of which that is not known are not counted.
-- executable: share of positions whose fills rest within `impact` of the middle of that book, of those of which it is known: a book is said 20 levels a side, and of a side that has as many nothing is
-- known beyond the last. So usd rests there at least and most at most, and what lies between is neither. A price is that of the minute, or of the minutes before, price_minutes at most.
-- Sort keys: hl_walks (chain, run), hl_trips (chain, account), hl_prices (chain, coin, span, nth), hl_funding_rates (chain, coin), hl_books (chain, coin, time).
INSERT INTO hl_measured (chain, run, account, metric, value, samples)
WITH
  (SELECT argMax(numbers, version) FROM hl_trader_rules WHERE rule = 'copy') AS copy, (SELECT argMax(numbers, version) FROM hl_trader_rules WHERE rule = 'samples') AS enough, (SELECT argMax(numbers, version) FROM hl_trader_rules WHERE rule = 'window') AS scope,
  trips AS (
    SELECT t.account AS account, toString(t.coin) AS coin, t.opened_at AS opened_at, assumeNotNull(t.closed_at) AS closed_at, if(t.side = 'long', 1, -1) AS sense, toFloat64(assumeNotNull(t.entry_px)) AS entry, t.hours AS hours, t.fundings AS fundings,
      toFloat64(t.funding) / t.largest_usd AS paid, t.volume_usd / t.fills AS fill_usd, cityHash64(t.account, t.coin, t.opened_at, t.tid, t.extra, t.part) AS id
    FROM hl_trips AS t FINAL
    WHERE t.chain = {chain:String} AND t.account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}) AND t.market = 'perp' AND t.state = 'closed' AND t.gap = 'none'
      AND t.last_at > fromUnixTimestamp64Milli({until:Int64}, 'UTC') - toIntervalDay(toUInt16(scope['days']))
  ),
  asked AS (
    SELECT id, coin, moment.1 AS which, toUInt32(intDiv(toUnixTimestamp64Milli(moment.2), 60000)) AS minute
    FROM trips ARRAY JOIN [(1, opened_at + INTERVAL 1 HOUR), (2, opened_at + toIntervalSecond(toUInt32(copy['delay_seconds']))), (3, closed_at + toIntervalSecond(toUInt32(copy['delay_seconds'])))] AS moment
    WHERE toUnixTimestamp64Milli(moment.2) <= {until:Int64}
  ),
  priced AS (
    SELECT id, anyIf(px, which = 1) AS hour_px, anyIf(px, which = 2) AS entry_px, anyIf(px, which = 3) AS exit_px FROM (
      SELECT a.id AS id, a.which AS which, if(p.nth + scope['price_minutes'] >= a.minute, p.px, 0) AS px
      FROM asked AS a ASOF INNER JOIN (
        SELECT toString(k.coin) AS coin, k.nth AS nth, toFloat64(max(k.last).3) AS px FROM hl_prices AS k
        WHERE k.chain = {chain:String} AND k.span = 1 AND (k.coin, k.nth) IN (SELECT coin, toUInt32(minute - back) FROM asked ARRAY JOIN range(toUInt32(scope['price_minutes']) + 1) AS back) GROUP BY k.coin, k.nth
      ) AS p ON p.coin = a.coin AND p.nth <= a.minute
    ) GROUP BY id
  ),
  rates AS (SELECT toString(coin) AS coin, time, sum(toFloat64(rate)) OVER w AS so_far, count() OVER w AS told FROM hl_funding_rates WHERE chain = {chain:String} AND market = 'perp' WINDOW w AS (PARTITION BY coin ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)),
  books AS (
    SELECT toString(coin) AS coin, (toFloat64(ask[1].px) / toFloat64(bid[1].px) - 1) / 2 AS spread, (toFloat64(ask[1].px) + toFloat64(bid[1].px)) / 2 AS middle,
      arraySum(l -> if(toFloat64(l.px) <= middle * (1 + copy['impact']), toFloat64(l.px) * toFloat64(l.sz), 0), ask) AS asks, arraySum(l -> if(toFloat64(l.px) >= middle * (1 - copy['impact']), toFloat64(l.px) * toFloat64(l.sz), 0), bid) AS bids,
      least(asks, bids) AS usd, least(if(length(ask) >= 20 AND toFloat64(ask[-1].px) < middle * (1 + copy['impact']), inf, asks), if(length(bid) >= 20 AND toFloat64(bid[-1].px) > middle * (1 - copy['impact']), inf, bids)) AS most
    FROM (SELECT b.coin AS coin, argMax(b.bids, b.time) AS bid, argMax(b.asks, b.time) AS ask FROM hl_books AS b
      WHERE b.chain = {chain:String} AND b.market = 'perp' AND (b.coin, b.time) IN (SELECT n.coin, max(n.time) FROM hl_books AS n WHERE n.chain = {chain:String} AND n.market = 'perp' AND n.time > fromUnixTimestamp64Milli({until:Int64}, 'UTC') - INTERVAL 1 DAY GROUP BY n.coin) GROUP BY b.coin) WHERE notEmpty(bid) AND notEmpty(ask)
  )
SELECT {chain:String}, {run:UInt64}, account, m.1, m.2, m.3
FROM (
  SELECT account, count(after) AS marked, avg(after) AS mean, stddevSamp(after) AS deviation, count(left_over) AS followed, avg(left_over) AS edge, countIf(middle > 0 AND (fill_usd <= usd OR fill_usd > most)) AS seen, countIf(middle > 0 AND fill_usd <= usd) AS easy
  FROM (
  SELECT t.account AS account, t.fill_usd AS fill_usd, b.middle AS middle, b.usd AS usd, b.most AS most, if(x.hour_px > 0, t.sense * (x.hour_px / t.entry - 1), NULL) AS after, multiIf(b.middle = 0, copy['unknown_slip'], b.usd >= copy['follower_usd'], greatest(copy['least_slip'], b.spread), b.most >= copy['follower_usd'], greatest(copy['unknown_slip'], b.spread), greatest(copy['least_slip'], b.spread) + copy['impact']) AS slip,
    multiIf(t.fundings >= t.hours, t.paid, toInt64(z.told) - toInt64(o.told) >= t.hours, -t.sense * (z.so_far - o.so_far), NULL) AS funding,
    if(x.entry_px > 0 AND x.exit_px > 0, t.sense * (x.exit_px / x.entry_px - 1) - 2 * (copy['taker_fee'] + slip) + funding, NULL) AS left_over
  FROM trips AS t LEFT ANY JOIN priced AS x ON x.id = t.id LEFT ANY JOIN books AS b ON b.coin = t.coin
  ASOF LEFT JOIN rates AS o ON o.coin = t.coin AND o.time <= t.opened_at ASOF LEFT JOIN rates AS z ON z.coin = t.coin AND z.time <= t.closed_at
  ) GROUP BY account
)
ARRAY JOIN arrayFilter(one -> isFinite(one.2) AND one.3 >= one.4, [('markout', ifNull(mean, nan), marked, enough['markouts']), ('markout_t', ifNull(mean / deviation * sqrt(marked), nan), marked, enough['markouts']),
  ('edge_after_cost', ifNull(edge, nan), followed, enough['positions']), ('executable', easy / seen, seen, enough['positions'])]::Array(Tuple(String, Float64, UInt64, Float64))) AS m
