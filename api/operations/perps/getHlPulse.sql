-- The perps of the venue over the last hours: what takers bought and sold, how many accounts, what was closed by force, open interest, the ten busiest coins. Spot, and perps that others list (HIP-3), are left out, and what claims to be of more than a minute from now.
-- Grain: one row, none where nothing was heard. Parameters: hours, known (Unix milliseconds): what was said until then, before the venue was heard, is no part of it. Sort keys: hl_trades, hl_liquidations (hl_forced: chain, time, …), hl_contexts (chain, dex, coin, time), hl_coins (chain, dex, time, place).
-- net: bought less sold by takers. mean_funding_rate: over coins, per hour; one that the newest list tells to be taken down pays none, though the venue says zeros of it, and is no part of it. A long is closed by selling. Auto-deleveraging is no liquidation, but says that something was heard.
-- at: time and tid in one number: to compare tuples takes eight times as long.
-- made: coins that a generator made are among what was added up.
WITH
  now64(3, 'UTC') AS until, greatest(until - toIntervalHour({hours:UInt32}), fromUnixTimestamp64Milli(least({known:Int64}, toUnixTimestamp64Milli(until)), 'UTC')) AS since, until + INTERVAL 1 MINUTE AS ahead,
  by_coin AS MATERIALIZED (
    SELECT t.coin AS coin, count() AS trades, sumIf(toFloat64(t.px) * toFloat64(t.sz), t.side = 'buy') AS bought, sumIf(toFloat64(t.px) * toFloat64(t.sz), t.side = 'sell') AS sold,
      toFloat64(toString(argMin(t.px, bitShiftLeft(toUInt128(toUnixTimestamp64Milli(t.time)), 64) + t.tid AS at))) AS open, toFloat64(toString(argMax(t.px, at))) AS close
    FROM hl_trades AS t WHERE t.chain = 'HL' AND t.time > since AND t.time <= ahead AND t.market = 'perp' GROUP BY t.coin
  ),
  context AS MATERIALIZED (
    SELECT x.coin AS coin, argMax((x.rate, toFloat64(x.open_interest) * toFloat64(x.mark_px)), x.time) AS said, said.1 AS rate, said.2 AS open_usd FROM hl_contexts AS x
    WHERE x.chain = 'HL' AND x.dex = '' AND x.coin != '' AND x.market = 'perp' AND x.time > until - INTERVAL 1 HOUR
      AND x.coin NOT IN (SELECT k.coin FROM hl_coins AS k WHERE k.chain = 'HL' AND k.dex = '' AND k.time > until - INTERVAL 3 HOUR GROUP BY k.coin HAVING argMax(k.delisted, k.time))
    GROUP BY x.coin
  ),
  (SELECT (count(), countIf(startsWith(coin, 'SYN-'))) FROM context) AS contexts,
  total AS (SELECT sum(trades) AS trades, sum(bought) AS bought, sum(sold) AS sold, countIf(startsWith(coin, 'SYN-')) AS made FROM by_coin),
  forced AS (
    SELECT countIf(l.kind = 'liquidation') AS number, sumIf(toFloat64(l.px) * toFloat64(l.sz), l.side = 'sell' AND l.kind = 'liquidation') AS longs, sumIf(toFloat64(l.px) * toFloat64(l.sz), l.side = 'buy' AND l.kind = 'liquidation') AS shorts,
      count() AS heard, countIf(startsWith(l.coin, 'SYN-') AND l.kind = 'liquidation') AS made FROM hl_forced AS l
    WHERE l.chain = 'HL' AND l.time > since AND l.time <= ahead AND l.market = 'perp'
  )
SELECT since AS from, until AS to, toFloat64(t.trades) AS trades, toFloat64((SELECT uniqExact(account) FROM (SELECT arrayJoin([a.buyer, a.seller]) AS account FROM hl_trades AS a WHERE a.chain = 'HL' AND a.time > since AND a.time <= ahead AND a.market = 'perp'))) AS traders,
  round(t.bought + t.sold, 6) AS volume_usd, round(t.bought, 6) AS buy_usd, round(t.sold, 6) AS sell_usd, round(t.bought - t.sold, 6) AS net_usd, toFloat64(f.number) AS liquidations, round(f.longs, 6) AS liquidated_long_usd, round(f.shorts, 6) AS liquidated_short_usd,
  (SELECT if(count() = 0, NULL, toNullable(round(sum(assumeNotNull(open_usd)), 6))) FROM context WHERE open_usd IS NOT NULL) AS open_interest_usd,
  (SELECT if(count() = 0, NULL, toNullable(avg(toFloat64(assumeNotNull(rate))))) FROM context WHERE rate IS NOT NULL) AS mean_funding_rate,
  (SELECT groupArray(CAST((coin, round(bought + sold, 6), round(bought - sold, 6), if(open > 0, close / open - 1, NULL)), 'Tuple(coin String, volume_usd Float64, net_usd Float64, change Nullable(Float64))')) FROM (SELECT * FROM by_coin ORDER BY bought + sold DESC, coin LIMIT 10)) AS coins,
  CAST(t.made + f.made + contexts.2 > 0, 'Bool') AS made
FROM total AS t CROSS JOIN forced AS f
WHERE t.trades > 0 OR f.heard > 0 OR contexts.1 > 0
SETTINGS enable_materialized_cte = 1
