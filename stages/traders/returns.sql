-- Returns of accounts by day within the window, where their capital is known, else of an unchanging one (which tells Sharpe and Sortino alone). Grain: one metric of one account.
-- Parameters: chain, run, until (Unix milliseconds), slices, slice. A result counts on the day of a position's last fill; days without one return nothing and count as days.
-- Capital: as the venue said last of the account (dex ''), carried back and on by results and money that came and went; where it said nothing, by the money that came first,
-- if no history lacks. Known only where it never was below what flowed out. r = result / (capital before + what came in); draw-down of the product of 1 + r.
-- Sort keys: hl_walks (chain, run), hl_trips (chain, account), hl_ledger_updates (chain, account), hl_accounts (chain, account).
INSERT INTO hl_measured (chain, run, account, metric, value, samples)
WITH
  fromUnixTimestamp64Milli({until:Int64}, 'UTC') AS ends, ends - toIntervalDay(assumeNotNull((SELECT toUInt16(argMax(numbers, version)['days']) FROM hl_trader_rules WHERE rule = 'window'))) AS since,
  (SELECT argMax(numbers, version)['days'] FROM hl_trader_rules WHERE rule = 'samples') AS enough,
  judged AS (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}),
  moves AS (
    SELECT t.account AS account, toDate(t.last_at) AS day, sum(toFloat64(t.net)) AS result, toFloat64(0) AS flow, toFloat64(0) AS inflow, toUInt8(max(t.gap = 'start')) AS cut FROM hl_trips AS t FINAL
    WHERE t.chain = {chain:String} AND t.account IN (SELECT account FROM judged) AND t.market = 'perp' GROUP BY account, day
    UNION ALL
    SELECT account, toDate(time) AS day, 0, sum(moved), sum(greatest(0, moved)), 0 FROM (SELECT l.account AS account, l.time AS time, multiIf(l.kind IN ('deposit', 'vaultWithdraw', 'vaultDistribution', 'rewardsClaim'), 1, l.kind IN ('withdraw', 'vaultDeposit', 'vaultCreate'), -1,
        l.kind IN ('internalTransfer', 'subAccountTransfer'), if(lower(JSONExtractString(l.delta, 'destination')) = concat('0x', lower(hex(l.account))), 1, -1), l.kind = 'accountClassTransfer', if(JSONExtractBool(l.delta, 'toPerp'), 1, -1), 0) * toFloat64(ifNull(l.usdc, 0)) AS moved
    FROM hl_ledger_updates AS l WHERE l.chain = {chain:String} AND l.account IN (SELECT account FROM judged)) GROUP BY account, day
  ),
  said AS (SELECT a.account AS account, argMax((toDate(a.time), toFloat64(a.account_value)), a.time) AS anchor FROM hl_accounts AS a WHERE a.chain = {chain:String} AND a.account IN (SELECT account FROM judged) AND a.dex = '' GROUP BY a.account),
  walked AS (
    SELECT d.account AS account, d.days AS days, d.results AS results, d.flows AS flows, d.inflows AS inflows, arrayCumSum(arrayMap((r, f) -> r + f, d.results, d.flows)) AS sums, s.anchor.1 > toDate(0) AS told,
      multiIf(told, s.anchor.2 - sums[arrayLastIndex(day -> day <= s.anchor.1, d.days)], d.cut = 0 AND d.inflows[1] > 0, 0, nan) AS opening, arrayMap((sum, r, f, i) -> opening + sum - r - f + i, sums, d.results, d.flows, d.inflows) AS bases,
      arrayMap(day -> day > toDate(since), d.days) AS recent, isFinite(opening) AND arrayAll((base, r, now) -> r = 0 OR NOT now OR base > 0, bases, d.results, recent) AS known,
      arrayFilter((r, now) -> now, arrayMap((r, base) -> if(r = 0, 0, r / if(known, base, 1)), d.results, bases), recent) AS returns
    FROM (SELECT account, max(cut) AS cut, arraySort(groupArray((day, result, flow, inflow))) AS sorted, sorted.1 AS days, sorted.2 AS results, sorted.3 AS flows, sorted.4 AS inflows FROM (SELECT account, day, sum(result) AS result, sum(flow) AS flow, sum(inflow) AS inflow, max(cut) AS cut FROM moves GROUP BY account, day) GROUP BY account) AS d
    LEFT ANY JOIN said AS s ON s.account = d.account
  )
SELECT {chain:String}, {run:UInt64}, account, m.1, m.2, span
FROM (
  SELECT account, known, toUInt64(greatest(1, dateDiff('day', greatest(days[1], toDate(since)), toDate(ends)) + 1)) AS span, arraySum(returns) / span AS mean, sqrt((arraySum(r -> r * r, returns) - span * mean * mean) / (span - 1)) AS deviation,
    sqrt(arraySum(r -> if(r < 0, r * r, 0), returns) / span) AS downside, arrayPushFront(arrayCumSum(arrayMap(r -> log(greatest(1 + r, 0.000001)), returns)), 0) AS logs,
    arrayMax(arrayMap(i -> 1 - exp(logs[i] - arrayMax(arraySlice(logs, 1, i))), arrayEnumerate(logs))) AS fall, exp(logs[-1]) - 1 AS twr, arrayFilter((base, now, r) -> now AND r != 0, bases, recent, results) AS capitals, if(empty(capitals), nan, arrayAvg(capitals)) AS capital,
    arraySum(arrayFilter((r, now) -> now, results, recent)) AS earned, if(empty(returns), 0, -arrayMin(returns)) AS crash, arraySum(arrayFilter((i, now) -> now, inflows, recent)) + greatest(0, opening + sums[arrayFirstIndex(now -> now, recent)] - results[arrayFirstIndex(now -> now, recent)] - flows[arrayFirstIndex(now -> now, recent)]) AS put_in
  FROM walked
)
ARRAY JOIN arrayFilter(one -> isFinite(one.2) AND span >= one.3, [('sharpe', mean / deviation * sqrt(365), enough), ('sortino', mean / downside * sqrt(365), enough), ('capital_usd', if(known, capital, nan), 0), ('roi', if(known, earned / capital, nan), 0), ('put_in_usd', if(known, put_in, nan), 0), ('twr', if(known, twr, nan), 0),
  ('max_drawdown', if(known, fall, nan), 0), ('calmar', if(known, (exp(log(greatest(1 + twr, 0.000001)) * 365 / span) - 1) / fall, nan), enough), ('crash', if(known, crash, nan), 0)]::Array(Tuple(String, Float64, Float64))) AS m
