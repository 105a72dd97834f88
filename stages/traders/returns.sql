-- What accounts made of their capital, marked to market by the hour within the window: draw-down by the hour, Sharpe and Sortino by the day; where capital is not known, of an
-- unchanging one (which tells Sharpe and Sortino alone). Grain: one metric of one account. Parameters: chain, run, until (Unix milliseconds), slices, slice.
-- An hour's result: what was held times the change of the price, fills at the price at the hour's end less what they cost, fees, and funding. A price is the last known before the
-- hour's end, to eight minutes, else that of the last fill; before the window fills alone are looked at, which comes to the same. A position filled last before it is marked up to the last hour in which a payment, or what the venue said of the account, shows that it is held. Days without a result count as days.
-- Capital: as the venue said last of the account (dex ''), carried back and on by results and money that came and went; where it said nothing, by the money that came first,
-- if no history lacks; of whom no money was ever told, or some without its amount, it is not known. Into the venue's own dex and out of it: what goes between accounts, dexes, vaults and spot counts at its end there. Known only where it never was below what flowed out. r = result / (capital before + what came in); draw-down of the product of 1 + r.
-- Fills that walk.sql leaves out are left out here.
-- put_in_usd: what stood when the window began and came in since; put_in_year_usd: within a year. capital_usd: the mean before hours in which something was opened. roi: by the mean over time.
-- opening_capital_usd: what there was before an hour, and came in within it, in which a position that counts to rule insider was opened (its size against the account); one such row an hour. Before the window it is marked by fills alone. Sort keys: hl_walks (chain, run), hl_account_fills and hl_trips (chain, account),
-- hl_prices (chain, coin, span, nth), hl_funding_payments, hl_ledger_updates, hl_accounts (chain, account).
INSERT INTO hl_measured (chain, run, account, metric, value, samples, hour)
WITH
  text -> if(match(text, '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), toFloat64OrZero(text), nan) AS amount,
  fromUnixTimestamp64Milli({until:Int64}, 'UTC') AS ends, ends - toIntervalDay(assumeNotNull((SELECT toUInt16(argMax(numbers, version)['days']) FROM hl_trader_rules WHERE rule = 'window'))) AS since,
  toUInt32(intDiv(toUnixTimestamp64Milli(since), 3600000)) AS first_hour, toUInt32(intDiv({until:Int64}, 3600000)) AS last_hour, toUInt32(last_hour - 8760) AS year_hour,
  (SELECT argMax(numbers, version)['days'] FROM hl_trader_rules WHERE rule = 'samples') AS enough,
  (SELECT argMax(numbers, version)['least_usd'] FROM hl_trader_rules WHERE rule = 'insider') AS large,
  judged AS (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}),
  marks AS (
    SELECT cityHash64(toString(p.coin)) AS k, toUInt32(intDiv((toUInt64(p.nth) + 1) * 8 - 1, 60)) AS hour, toFloat64(max(p.last).3) AS px FROM hl_prices AS p
    WHERE p.chain = {chain:String} AND p.span = 8 AND p.nth >= intDiv(toUInt64(first_hour) * 60, 8) AND p.coin IN (SELECT t.coin FROM hl_trips AS t WHERE t.chain = {chain:String} AND t.account IN (SELECT account FROM judged) AND t.market = 'perp' AND (t.state = 'open' OR t.last_at > since))
    GROUP BY k, hour
  ),
  -- Filled last before the window: up to which hour of it a payment, or the venue, shows that they are held; 0: never, and their close may not have been heard.
  old AS (
    SELECT o.account AS account, cityHash64(toString(o.coin)) AS k, toUInt8(1) AS told, max(toUInt32(intDiv(toUnixTimestamp64Milli(s.time), 3600000))) AS shown
    FROM (SELECT t.account AS account, t.coin AS coin FROM hl_trips AS t FINAL WHERE t.chain = {chain:String} AND t.account IN (SELECT account FROM judged) AND t.market = 'perp' AND t.state = 'open' AND t.last_at <= since) AS o
    LEFT JOIN (
      SELECT p.account AS account, p.coin AS coin, p.time AS time FROM hl_funding_payments AS p WHERE p.chain = {chain:String} AND p.account IN (SELECT account FROM judged) AND p.market = 'perp' AND p.time > since AND p.time <= ends
      UNION ALL
      SELECT q.account, q.coin, q.time FROM hl_positions AS q WHERE q.chain = {chain:String} AND q.account IN (SELECT account FROM judged) AND q.market = 'perp' AND q.time > since AND q.time <= ends AND q.szi != 0
    ) AS s ON s.account = o.account AND s.coin = o.coin
    GROUP BY account, k
  ),
  traded AS (
    SELECT account, k, hour, argMin(start, time) AS begin, begin + sum(change) AS end, toFloat64(sum(change)) AS bought, sum(cost) AS paid, argMin(first_price, time) AS first_px, argMax(price, time) AS last_px,
      leadInFrame(hour, 1, toUInt32(last_hour + 1)) OVER (PARTITION BY account, k ORDER BY hour ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS until_hour
    FROM (
      -- Fills of one moment have no order of their own: what was held before them is where one starts and none ends; where they end where they began, it is what the moment before left.
      SELECT account, k, hour, time, change, cost, first_price, price, multiIf(opens > 0, befores[opens], has(befores, assumeNotNull(ended)), assumeNotNull(ended), befores[1]) AS start
      FROM (
        SELECT *, anyLast(ends) OVER (PARTITION BY account, k ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended
        FROM (
          SELECT f.account AS account, cityHash64(toString(f.coin)) AS k, f.time AS time, toUInt32(intDiv(toUnixTimestamp64Milli(f.time), 3600000)) AS hour, groupArray(f.start_position) AS befores, groupArray(f.start_position + if(f.side = 'buy', f.sz, -f.sz)) AS afters,
            arrayFirstIndex(b -> countEqual(befores, b) > countEqual(afters, b), befores) AS opens, if(opens > 0, toNullable(befores[opens] + change), NULL) AS ends,
            sum(if(f.side = 'buy', f.sz, -f.sz)) AS change, sum(toFloat64(f.px) * toFloat64(f.sz) * if(f.side = 'buy', 1, -1) + toFloat64(f.fee)) AS cost, toFloat64(any(f.px)) AS first_price, toFloat64(anyLast(f.px)) AS price
          FROM hl_account_fills AS f WHERE f.chain = {chain:String} AND f.account IN (SELECT account FROM judged) AND f.market = 'perp'
            AND f.sz < 1000000000000000000 AND abs(f.start_position) < 1000000000000000000 AND abs(f.closed_pnl) < 1000000000000 AND abs(f.fee) < 1000000000000 AND toFloat64(f.px) * toFloat64(f.sz) <= 1e12 GROUP BY account, k, time, hour
        )
      )
    ) GROUP BY account, k, hour
  ),
  held AS (
    SELECT t.account AS account, t.k AS k, step AS hour, step = t.hour AS filled, filled AND abs(end) > abs(begin) AS opened, toFloat64(if(filled, begin, end)) AS carried, toFloat64(end) AS kept, if(filled, bought, 0) AS added, if(filled, paid, 0) AS cost, first_px,
      multiIf(m.px > 0 AND (filled OR h.told = 0 OR t.step <= h.shown), toNullable(m.px), filled, toNullable(last_px), NULL) AS said
    FROM (SELECT *, step FROM traded ARRAY JOIN arrayConcat([hour], if(end = 0, []::Array(UInt32), range(toUInt32(greatest(hour + 1, first_hour)), until_hour))) AS step) AS t LEFT ANY JOIN marks AS m ON m.k = t.k AND m.hour = t.step LEFT ANY JOIN old AS h ON h.account = t.account AND h.k = t.k
  ),
  moves AS (
    SELECT account, hour, sum(carried * (px - if(NOT filled OR (nth > 1 AND carried = was), before, first_px)) + added * px - cost) AS result, toFloat64(0) AS flow, toFloat64(0) AS inflow, toUInt8(max(opened)) AS opening, toUInt8(0) AS begun
    FROM (
      SELECT *, row_number() OVER w AS nth, lagInFrame(px) OVER w AS before, lagInFrame(kept) OVER w AS was
      FROM (SELECT *, assumeNotNull(anyLast(said) OVER (PARTITION BY account, k ORDER BY hour ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS px FROM held)
      WINDOW w AS (PARTITION BY account, k ORDER BY hour ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    ) GROUP BY account, hour
    UNION ALL
    SELECT account, toUInt32(intDiv(toUnixTimestamp64Milli(time), 3600000)) AS hour, sum(toFloat64(usdc)), 0, 0, 0, 0
    FROM (SELECT p.account AS account, p.coin AS coin, p.time AS time, p.usdc AS usdc FROM hl_funding_payments AS p WHERE p.chain = {chain:String} AND p.account IN (SELECT account FROM judged) AND p.market = 'perp' LIMIT 1 BY p.account, p.coin, p.time) GROUP BY account, hour
    UNION ALL
    SELECT account, toUInt32(intDiv(toUnixTimestamp64Milli(time), 3600000)) AS hour, 0, sum(moved), sum(if(isNaN(moved), nan, greatest(0, moved))), 0, 0 FROM (SELECT l.account AS account, l.time AS time, concat('0x', lower(hex(l.account))) AS own, ifNull(toFloat64(l.usdc), nan) AS usdc, lower(JSONExtractString(l.delta, 'destination')) = own AS here, lower(JSONExtractString(l.delta, 'user')) = own AS sent, lower(JSONExtractString(l.delta, 'vault')) = own AS vault,
        multiIf(l.kind IN ('deposit', 'vaultLeaderCommission'), usdc, l.kind = 'withdraw', -usdc, l.kind IN ('internalTransfer', 'subAccountTransfer'), usdc * multiIf(here AND sent, 0, here, 1, -1), l.kind = 'accountClassTransfer', if(JSONExtractBool(l.delta, 'toPerp'), usdc, -usdc),
          l.kind = 'vaultDistribution', if(vault, -usdc, usdc), l.kind = 'vaultDeposit', if(vault, usdc, -usdc), l.kind = 'vaultCreate', if(vault, usdc, -usdc - if(JSONHas(l.delta, 'fee'), amount(JSONExtractString(l.delta, 'fee')), 0)),
          l.kind = 'vaultWithdraw', if(vault, -1, 1) * amount(JSONExtractString(l.delta, 'netWithdrawnUsd')),
          l.kind = 'send' AND match(JSONExtractString(l.delta, 'token'), '^USDC(:|$)'), amount(JSONExtractString(l.delta, 'amount')) * ((here AND JSONExtractString(l.delta, 'destinationDex') = '') - (sent AND JSONExtractString(l.delta, 'sourceDex') = '')), 0) AS moved
    FROM hl_ledger_updates AS l WHERE l.chain = {chain:String} AND l.account IN (SELECT account FROM judged)) GROUP BY account, hour
    UNION ALL
    SELECT t.account, toUInt32(intDiv(toUnixTimestamp64Milli(t.opened_at), 3600000)) AS hour, 0, 0, 0, 0, 1 FROM hl_trips AS t FINAL
    WHERE t.chain = {chain:String} AND t.account IN (SELECT account FROM judged) AND t.market = 'perp' AND t.gap = 'none' AND t.last_at > since AND toFloat64(t.largest_sz) * toFloat64(t.entry_px) >= large GROUP BY t.account, hour
  ),
  said AS (SELECT a.account AS account, argMax((toUInt32(intDiv(toUnixTimestamp64Milli(a.time), 3600000)), toFloat64(a.account_value)), a.time) AS anchor FROM hl_accounts AS a WHERE a.chain = {chain:String} AND a.account IN (SELECT account FROM judged) AND a.dex = '' GROUP BY a.account),
  -- Whoever trades was given money once: of whom nothing of the kind was told the venue was not asked.
  ledgers AS (SELECT DISTINCT l.account AS account FROM hl_ledger_updates AS l WHERE l.chain = {chain:String} AND l.account IN (SELECT account FROM judged)),
  cuts AS (SELECT t.account AS account, max(t.gap = 'start') AS cut FROM hl_trips AS t FINAL WHERE t.chain = {chain:String} AND t.account IN (SELECT account FROM judged) AND t.market = 'perp' GROUP BY account),
  -- Step by step, since each step of lists is planned again wherever it is named.
  summed AS (
    SELECT account, sorted.1 AS hours, sorted.2 AS results, sorted.3 AS flows, sorted.4 AS inflows, sorted.5 AS openings, sorted.6 AS begins_here, arrayCumSum(arrayMap((r, f) -> r + f, results, flows)) AS sums, arrayMap(h -> h > first_hour, hours) AS recent, arrayFirstIndex(now -> now, recent) AS begins, arrayFirstIndex(h -> h > year_hour, hours) AS year_begins,
      toUInt64(greatest(1, dateDiff('day', greatest(toDate(toDateTime(hours[1] * 3600, 'UTC')), toDate(since)), toDate(ends)) + 1)) AS span
    FROM (SELECT account, arraySort(groupArray((hour, result, flow, inflow, opening, begun))) AS sorted FROM (SELECT account, hour, sum(result) AS result, sum(flow) AS flow, sum(inflow) AS inflow, max(opening) AS opening, max(begun) AS begun FROM moves GROUP BY account, hour) GROUP BY account)
  ),
  opened AS (
    SELECT d.account AS account, hours, results, flows, inflows, openings, begins_here, sums, recent, begins, year_begins, span, multiIf(d.account NOT IN (SELECT account FROM ledgers), nan, s.anchor.1 > 0, s.anchor.2 - sums[arrayLastIndex(h -> h <= s.anchor.1, hours)], c.cut = 0 AND inflows[1] > 0, 0, nan) AS opening
    FROM summed AS d LEFT ANY JOIN said AS s ON s.account = d.account LEFT ANY JOIN cuts AS c ON c.account = d.account
  ),
  based AS (SELECT *, arrayMap((sum, r, f, i) -> opening + sum - r - f + i, sums, results, flows, inflows) AS bases, arrayMap((h, next) -> next - h, hours, arrayPushBack(arraySlice(hours, 2), toUInt32(last_hour + 1))) AS lasted FROM opened),
  known AS (SELECT *, isFinite(opening) AND arrayAll((base, r, now) -> abs(r) < 0.000001 OR NOT now OR base > 0, bases, results, recent) AS whole FROM based),
  walked AS (
    SELECT account, hours, results, recent, span, whole, arrayMap((r, base, now) -> if(now AND whole AND abs(r) >= 0.000001, log(greatest(1 + r / base, 0.000001)), 0), results, bases, recent) AS logs,
      arrayAvg(arrayFilter((base, now, o) -> now AND o, bases, recent, openings)) AS capital, arrayMap((b, base) -> if(b AND base > 0, base, nan), begins_here, bases) AS begun_with, arraySum((sum, w, now) -> if(now, (opening + sum) * w, 0), sums, lasted, recent) / arraySum((w, now) -> if(now, w, 0), lasted, recent) AS typical,
      arraySum((r, now) -> if(now, r, 0), results, recent) AS earned, arraySum((i, now) -> if(now, i, 0), inflows, recent) + greatest(0, opening + sums[begins] - results[begins] - flows[begins]) AS put_in,
      arraySum((i, h) -> if(h > year_hour, i, 0), inflows, hours) + greatest(0, opening + sums[year_begins] - results[year_begins] - flows[year_begins]) AS put_in_year
    FROM known
  ),
  judged_so AS (SELECT *, arraySum(logs) AS grown, 1 - exp(-arrayMax(arrayPushBack(arrayCumSumNonNegative(arrayMap(l -> -l, logs)), 0))) AS fall FROM walked)
SELECT {chain:String}, {run:UInt64}, account, m.1, m.2, if(m.4 > 0, 1, span), m.4
FROM (
  SELECT account, any(whole) AS whole, any(span) AS span, any(grown) AS grown, exp(grown) - 1 AS twr, any(fall) AS fall, any(capital) AS capital, any(earned) AS earned, any(typical) AS typical, any(put_in) AS put_in, any(put_in_year) AS put_in_year, groupArrayArray(at_opening) AS at_opening,
    sum(r) / span AS mean, sqrt((sum(r * r) - span * mean * mean) / (span - 1)) AS deviation, sqrt(sumIf(r * r, r < 0) / span) AS downside, greatest(0, -min(r)) AS crash
  FROM (
    SELECT account, intDiv(hour, 24) AS day, any(whole) AS whole, any(span) AS span, any(grown) AS grown, any(fall) AS fall, any(capital) AS capital, any(earned) AS earned, any(typical) AS typical, any(put_in) AS put_in, any(put_in_year) AS put_in_year, groupArrayIf((hour, had), isFinite(had)) AS at_opening, if(whole, exp(sum(lg)) - 1, sum(if(now, result, 0))) AS r
    FROM judged_so ARRAY JOIN hours AS hour, results AS result, logs AS lg, recent AS now, begun_with AS had GROUP BY account, day
  ) GROUP BY account
)
ARRAY JOIN arrayFilter(one -> isFinite(one.2) AND span >= one.3, arrayConcat(arrayMap(one -> ('opening_capital_usd', if(whole, one.2, nan), 0., one.1), at_opening)::Array(Tuple(String, Float64, Float64, UInt32)), arrayMap(one -> (one.1, one.2, one.3, 0), [('sharpe', mean / deviation * sqrt(365), enough), ('sortino', mean / downside * sqrt(365), enough), ('capital_usd', if(whole, capital, nan), 0), ('roi', if(whole AND typical > 0, earned / typical, nan), 0), ('put_in_usd', if(whole, put_in, nan), 0), ('put_in_year_usd', if(whole, put_in_year, nan), 0), ('twr', if(whole, twr, nan), 0),
  ('max_drawdown', if(whole, fall, nan), 0), ('calmar', if(whole, (exp(grown * 365 / span) - 1) / fall, nan), enough), ('crash', if(whole, crash, nan), 0)]::Array(Tuple(String, Float64, Float64)))::Array(Tuple(String, Float64, Float64, UInt32)))) AS m
