-- How accounts trade, by their fills of the window: metrics of making and taking. Grain: one metric of one account. Parameters: chain, run, until (Unix milliseconds), slices, slice.
-- net_flow_share: what was bought more than sold, or less, within days, as a share of both; of the day in which the window begins, what is after that. first_ms, last_ms: of all that is known; recent_ms: of the first within the window. Perps of the venue alone.
-- Sort keys: hl_walks (chain, run), hl_account_fills (chain, account).
INSERT INTO hl_measured (chain, run, account, metric, value, samples)
WITH fromUnixTimestamp64Milli({until:Int64}, 'UTC') - toIntervalDay(assumeNotNull((SELECT toUInt16(argMax(numbers, version)['days']) FROM hl_trader_rules WHERE rule = 'window'))) AS since
SELECT {chain:String}, {run:UInt64}, account, m.1, m.2, fills
FROM (
  SELECT account, min(first) AS begin, minIf(first_recent, recent) AS since_when, max(last) AS end, sum(n) AS fills, sum(usd) AS volume, sum(maker) AS made, sum(abs(balance)) AS net, countIf(recent) AS days
  FROM (
    SELECT f.account AS account, toDate(f.time) AS day, min(f.time) AS first, max(f.time) AS last, max(f.time) > since AS recent, minIf(f.time, f.time > since) AS first_recent,
      countIf(f.time > since) AS n, sumIf(toFloat64(f.px) * toFloat64(f.sz), f.time > since) AS usd, sumIf(toFloat64(f.px) * toFloat64(f.sz), f.time > since AND NOT f.crossed) AS maker,
      sumIf(toFloat64(f.px) * toFloat64(f.sz) * if(f.side = 'buy', 1, -1), f.time > since) AS balance
    FROM hl_account_fills AS f
    WHERE f.chain = {chain:String} AND f.account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}) AND f.market = 'perp'
    GROUP BY account, day
  ) GROUP BY account
)
ARRAY JOIN arrayFilter(one -> isFinite(one.2), [('first_ms', toUnixTimestamp64Milli(begin), 0), ('last_ms', toUnixTimestamp64Milli(end), 0), ('recent_ms', toUnixTimestamp64Milli(since_when), 0), ('fills', fills, 0), ('volume_usd', volume, 0), ('maker_share', made / volume, 0), ('net_flow_share', net / volume, 0),
  ('fills_per_day', fills / days, 0), ('active_days', days, 0)]::Array(Tuple(String, Float64, UInt8))) AS m
