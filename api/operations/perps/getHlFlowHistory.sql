-- Buying and selling of one coin by takers in buckets of five minutes, oldest first, the last one under way. A bucket without trades is one of zeros as long as
-- the coin was listened to in the window, and its trades all the while: a trade of it was heard, or its context (of a coin the socket is asked for both), or a node's files told of all trades and its middle price
-- was heard (which comes of all coins); else there are no buckets. What a generator made tells of its own coins (SYN-…) alone, and of one of those nothing after the last that was heard of it. Auto-deleveraging is no liquidation.
-- Grain: one bucket. Parameters: coin, buckets. Sort keys: hl_trades, hl_liquidations (hl_forced: chain, time, coin, …), hl_mids (chain, coin, time), hl_contexts (chain, dex, coin, time), hl_told (chain, told, start), hl_gaps (chain, time, …): a gap is told after it.
-- at: time and tid in one number: to compare tuples takes eight times as long.
WITH
  toStartOfFiveMinutes(now('UTC')) AS last, last - toIntervalMinute(5 * ({buckets:UInt32} - 1)) AS first,
  traded AS (
    SELECT toStartOfFiveMinutes(t.time) AS start, count() AS trades, sumIf(toFloat64(t.px) * toFloat64(t.sz), t.side = 'buy') AS bought, sumIf(toFloat64(t.px) * toFloat64(t.sz), t.side = 'sell') AS sold,
      argMin(t.px, bitShiftLeft(toUInt128(toUnixTimestamp64Milli(t.time)), 64) + t.tid AS at) AS open, argMax(t.px, at) AS close
    FROM hl_trades AS t WHERE t.chain = 'HL' AND t.coin = {coin:String} AND t.time >= first AND t.time < last + INTERVAL 5 MINUTE GROUP BY start
  ),
  forced AS (
    SELECT toStartOfFiveMinutes(l.time) AS start, sum(toFloat64(l.px) * toFloat64(l.sz)) AS usd FROM hl_forced AS l
    WHERE l.chain = 'HL' AND l.kind = 'liquidation' AND l.coin = {coin:String} AND l.time >= first AND l.time < last + INTERVAL 5 MINUTE GROUP BY start
  ),
  (SELECT groupArray((g.from_time, greatest(g.from_time, g.to_time))) FROM hl_standing_gaps AS g WHERE g.chain = 'HL' AND g.time >= first AND g.channel IN ('trades', 'all', 'node_trades', 'node_fills') AND g.coin IN ('', {coin:String})) AS gaps,
  startsWith({coin:String}, 'SYN-') AS synthetic,
  (SELECT max(m.time) FROM hl_mids AS m WHERE m.chain = 'HL' AND m.coin = {coin:String} AND m.time >= first) AS priced,
  (SELECT max(x.time) FROM hl_contexts AS x WHERE x.chain = 'HL' AND x.dex = if(position({coin:String}, ':') > 0, splitByChar(':', {coin:String})[1], '') AND x.coin = {coin:String} AND x.time >= first AND x.source IN ('ws', 'synthetic')) AS said
SELECT toDateTime64(s.start, 3, 'UTC') AS start, toFloat64(t.trades) AS trades, round(t.bought, 6) AS buy_usd, round(t.sold, 6) AS sell_usd, round(t.bought - t.sold, 6) AS net_usd, round(f.usd, 6) AS liquidated_usd,
  if(t.trades = 0, NULL, toNullable(toFloat64(toString(t.open)))) AS open, if(t.trades = 0, NULL, toNullable(toFloat64(toString(t.close)))) AS close
FROM (SELECT arrayJoin(arrayMap(nth -> first + toIntervalMinute(5 * nth), range({buckets:UInt32}))) AS start) AS s
LEFT ANY JOIN traded AS t ON t.start = s.start LEFT ANY JOIN forced AS f ON f.start = s.start
WHERE ((SELECT count() FROM traded) > 0
    OR said >= first
    OR ((SELECT count() FROM hl_told AS h WHERE h.chain = 'HL' AND (h.told = 'made') = synthetic AND h.told IN ('trades', 'fills', 'made') AND h.start >= toStartOfHour(first)) > 0 AND priced >= first))
  AND (t.trades > 0 OR f.usd > 0 OR NOT synthetic OR s.start <= greatest(said, priced, toDateTime64((SELECT max(d.start) FROM traded AS d), 3, 'UTC')))
  AND (t.trades > 0 OR f.usd > 0 OR NOT arrayExists(g -> g.1 < s.start + INTERVAL 5 MINUTE AND g.2 > s.start, gaps))
ORDER BY start
