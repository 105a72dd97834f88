-- The venue's last heard hour of perps in numbers, and when it ends. Spot is left out; a large trade that the venue also called forced counts once. made: a generator's trades are among them.
-- Liquidations are those of losers; a winner's position closed against one is a trade.
-- Grain: one row, none where nothing was heard. Parameters: ahead (Unix milliseconds: what claims to be later is left out). Sort keys: hl_trades, hl_liquidations (hl_forced: chain, time, coin, tid, extra), hl_alerts (chain, time, id).
WITH
  fromUnixTimestamp64Milli({ahead:Int64}, 'UTC') AS ahead,
  (SELECT groupArray(n.time) FROM (SELECT t.time AS time FROM hl_trades AS t WHERE t.chain = 'HL' AND t.time <= ahead AND t.market != 'spot' ORDER BY t.chain DESC, t.time DESC LIMIT 1) AS n) AS traded,
  (SELECT groupArray(n.time) FROM (SELECT l.time AS time FROM hl_liquidations AS l WHERE l.chain = 'HL' AND l.time <= ahead AND l.market != 'spot' ORDER BY l.chain DESC, l.time DESC LIMIT 1) AS n) AS closed,
  arrayMax(arrayConcat([toDateTime64(0, 3, 'UTC')], traded, closed)) AS newest,
  trades AS (SELECT t.time AS time, t.coin AS coin, t.tid AS tid, t.extra AS extra, toFloat64(t.px) * toFloat64(t.sz) AS usd FROM hl_trades AS t WHERE t.chain = 'HL' AND t.time > newest - INTERVAL 1 HOUR AND t.time <= newest AND t.market != 'spot'),
  forced AS (SELECT l.time AS time, l.coin AS coin, l.tid AS tid, l.extra AS extra, toFloat64(l.px) * toFloat64(l.sz) AS usd, l.kind = 'liquidation' AS liquidated FROM hl_forced AS l WHERE l.chain = 'HL' AND l.time > newest - INTERVAL 1 HOUR AND l.time <= newest AND l.market != 'spot'),
  large AS (SELECT e.time AS time, e.coin AS coin, e.tid AS tid, e.extra AS extra, any(e.usd) AS usd FROM (SELECT * FROM trades UNION ALL SELECT * EXCEPT (liquidated) FROM forced) AS e WHERE e.usd >= 100000 GROUP BY e.time, e.coin, e.tid, e.extra)
SELECT newest AS latest_time, toFloat64(t.number) AS trades, t.usd AS volume_usd, toFloat64(f.number) AS liquidations, f.usd AS liquidated_usd, toFloat64(w.number) AS whales, w.usd AS whale_usd,
  toFloat64((SELECT uniqExact(a.id) FROM hl_alerts AS a WHERE a.chain = 'HL' AND a.time > newest - INTERVAL 1 HOUR AND a.time <= newest)) AS alerts,
  CAST((SELECT count() FROM (SELECT coin FROM trades UNION ALL SELECT coin FROM forced) WHERE startsWith(toString(coin), 'SYN-')) > 0, 'Bool') AS made
FROM (SELECT count() AS number, round(sum(usd), 2) AS usd FROM trades) AS t CROSS JOIN (SELECT countIf(liquidated) AS number, round(sumIf(usd, liquidated), 2) AS usd FROM forced) AS f CROSS JOIN (SELECT count() AS number, round(sum(usd), 2) AS usd FROM large) AS w
WHERE length(traded) + length(closed) > 0
