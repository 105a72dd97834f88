-- Positions opened shortly before a move in their favour, with what else speaks for knowing before others. Grain: one position. Parameters: chain, run, until (Unix
-- milliseconds), slices, slice. Only such as a return of the next 1 to 6 hours was at least `sigmas` deviations of the coin's own returns of the week before, scaled to as
-- many hours. Points: freshness 20, concentration 15, size 15, timing 25, hits 10, leaving 10; links (5) come after, in links.sql, which is why versions are even here. leverage: dollars of the position
-- at its largest to what the account had before the hour in which it was opened and got within it; null and without points where that is not known.
-- Suspected, never proven. Sort keys: hl_walks (chain, run), hl_measured (chain, run, account), hl_trips (chain, account), hl_prices (chain, coin, span, nth), hl_ledger_updates (chain, account).
INSERT INTO hl_insider_trades (chain, account, coin, opened_at, tid, extra, part, side, score, entry_px, value_usd, leverage, moved, moved_hours, pnl_usd, evidence, rule_version, version, deleted)
WITH
  (SELECT argMax((numbers, version), version) FROM hl_trader_rules WHERE rule = 'insider') AS newest, newest.1 AS rule, (SELECT toUInt16(argMax(numbers, version)['days']) FROM hl_trader_rules WHERE rule = 'window') AS days,
  judged AS (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}),
  trips AS (
    SELECT t.account AS account, toString(t.coin) AS coin, t.opened_at AS opened_at, t.tid AS tid, t.extra AS extra, t.part AS part, t.side AS side, if(t.side = 'long', 1, -1) AS sense, toFloat64(assumeNotNull(t.entry_px)) AS entry, toFloat64(t.largest_sz) * entry AS usd, t.closed_at AS closed_at,
      toFloat64(t.net) AS net, t.state AS state, countIf(t.state = 'closed') OVER a AS ended, countIf(t.state = 'closed' AND t.net > 0) OVER a AS won, sum(t.largest_usd) OVER c AS coin_usd, sum(t.largest_usd) OVER a AS all_usd,
      cityHash64(t.account, t.coin, t.opened_at, t.tid, t.extra, t.part) AS id, toUInt32(intDiv(toUnixTimestamp64Milli(t.opened_at), 60000)) AS minute
    FROM hl_trips AS t FINAL
    WHERE t.chain = {chain:String} AND t.account IN (SELECT account FROM judged) AND t.market = 'perp' AND t.gap = 'none' AND t.last_at > fromUnixTimestamp64Milli({until:Int64}, 'UTC') - toIntervalDay(days)
    WINDOW a AS (PARTITION BY t.account), c AS (PARTITION BY t.account, t.coin)
  ),
  large AS (SELECT * FROM trips WHERE usd >= rule['least_usd']),
  later AS (
    SELECT a.id AS id, groupArray((a.hours, p.px)) AS seen
    FROM (SELECT id, coin, hours, toUInt32(minute + 60 * hours) AS minute FROM large ARRAY JOIN range(1, 7)::Array(UInt8) AS hours WHERE (minute + 60 * hours) * 60000 <= {until:Int64}) AS a ASOF INNER JOIN (
      SELECT toString(k.coin) AS coin, k.nth AS nth, toFloat64(max(k.last).3) AS px FROM hl_prices AS k
      WHERE k.chain = {chain:String} AND k.span = 1 AND (k.coin, k.nth) IN (SELECT coin, toUInt32(minute + 60 * hours - back) FROM large ARRAY JOIN range(1, 7)::Array(UInt8) AS hours ARRAY JOIN range(11) AS back) GROUP BY k.coin, k.nth
    ) AS p ON p.coin = a.coin AND p.nth <= a.minute
    WHERE p.nth + 10 >= a.minute GROUP BY a.id
  ),
  swings AS (
    SELECT coin, nth, stddevSamp(change) OVER w AS deviation, count(change) OVER w AS changes
    FROM (
      SELECT coin, nth, if(prior > 0 AND nth = prior_nth + 1, log(px / prior), NULL) AS change
      FROM (
        SELECT coin, nth, px, lagInFrame(px) OVER v AS prior, lagInFrame(nth) OVER v AS prior_nth FROM (SELECT toString(k.coin) AS coin, k.nth AS nth, toFloat64(max(k.last).3) AS px FROM hl_prices AS k WHERE k.chain = {chain:String} AND k.span = 64 AND k.coin IN (SELECT coin FROM large) GROUP BY k.coin, k.nth)
        WINDOW v AS (PARTITION BY coin ORDER BY nth ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
      )
    ) WINDOW w AS (PARTITION BY coin ORDER BY nth RANGE BETWEEN 158 PRECEDING AND 1 PRECEDING)
  ),
  money AS (SELECT l.account AS account, minIf(l.time, l.kind = 'deposit') AS funded_at, groupArrayIf(l.time, l.kind = 'withdraw') AS withdrawn FROM hl_ledger_updates AS l WHERE l.chain = {chain:String} AND l.account IN (SELECT account FROM judged) GROUP BY l.account),
  worth AS (SELECT account, hour, any(value) AS capital FROM hl_measured WHERE chain = {chain:String} AND run = {run:UInt64} AND metric = 'opening_capital_usd' AND account IN (SELECT account FROM judged) GROUP BY account, hour),
  timed AS (
    SELECT t.account AS account, t.coin AS coin, t.opened_at AS opened_at, t.minute AS minute, t.tid AS tid, t.extra AS extra, t.part AS part, t.side AS side, t.entry AS entry, t.usd AS usd, t.closed_at AS closed_at, t.net AS net, t.state AS state, t.ended AS ended, t.won AS won, t.coin_usd AS coin_usd, t.all_usd AS all_usd, s.deviation AS deviation, arrayMap(one -> (one.1, t.sense * (one.2 / t.entry - 1)), l.seen) AS moves, arrayReverseSort(one -> one.2 / sqrt(one.1), moves)[1] AS best, best.2 / (s.deviation * sqrt(best.1 * 60 / 64)) AS sigmas
    FROM large AS t INNER JOIN later AS l ON l.id = t.id ASOF INNER JOIN swings AS s ON s.coin = t.coin AND s.nth <= toUInt32(intDiv(t.minute, 64))
    WHERE s.changes >= 20 AND s.deviation > 0 AND sigmas >= rule['sigmas']
  )
SELECT {chain:String}, account, coin, opened_at, tid, extra, part, side, arraySum(found.2) AS score, entry, usd, leverage, best.2, best.1, if(state = 'closed', toNullable(net), NULL), found, newest.2, {run:UInt64} * 2, 0
FROM (
  SELECT t.account AS account, t.coin AS coin, t.opened_at AS opened_at, t.tid AS tid, t.extra AS extra, t.part AS part, t.side AS side, t.entry AS entry, t.usd AS usd, t.best AS best, t.state AS state, t.net AS net, if(c.capital > 0, toNullable(t.usd / c.capital), NULL) AS leverage, dateDiff('second', m.funded_at, t.opened_at) / 3600 AS fresh, arrayFirst(at -> t.closed_at IS NOT NULL AND at >= t.closed_at AND at <= assumeNotNull(t.closed_at) + toIntervalHour(toUInt16(rule['exit_hours'])), m.withdrawn) AS left_at,
    arrayFilter(one -> one.2 > 0, [
      ('timing', 25, concat('the price moved ', toString(round(t.best.2 * 100, 2)), ' % its way within ', toString(t.best.1), ' h, ', toString(round(t.sigmas, 1)), ' deviations')),
      ('freshness', if(m.funded_at > toDateTime64(0, 3, 'UTC') AND fresh >= 0 AND fresh <= rule['fresh_hours'], 20, 0), concat('opened ', toString(round(fresh, 1)), ' h after the first deposit')),
      ('concentration', if(t.coin_usd / t.all_usd >= rule['top_coin'], 15, 0), concat(toString(round(t.coin_usd / t.all_usd * 100)), ' % of its dollars in this coin')),
      ('size', if(leverage >= rule['size_to_account'] AND t.usd >= rule['usd'], 15, 0), concat(toString(round(ifNull(leverage, 0), 1)), ' times its capital')),
      ('hits', if(t.ended >= rule['hits'] AND t.won / t.ended >= rule['hit_rate'], 10, 0), concat(toString(t.won), ' of ', toString(t.ended), ' positions gained')),
      ('leaving', if(toUnixTimestamp64Milli(left_at) > 0, 10, 0), concat('withdrew ', toString(round(dateDiff('second', assumeNotNull(t.closed_at), left_at) / 3600, 1)), ' h after it closed'))]::Array(Tuple(rule String, points Float64, detail String))) AS found
  FROM timed AS t LEFT ANY JOIN money AS m ON m.account = t.account LEFT ANY JOIN worth AS c ON c.account = t.account AND c.hour = toUInt32(intDiv(t.minute, 60))
)
