-- Minutes of perps by when things could be known: prices, takers, whales, leaders, liquidations, what contexts and books said last. Grain: one minute of one coin, written once.
-- Parameters: chain, from_time, to_time (Unix seconds, the end is left out), through. Sort keys: hl_trades, hl_liquidations (chain, time, …), hl_contexts (chain, dex, coin, time), hl_books (chain, coin, time), hl_fills (chain, time, …).
-- A trade may claim a time of up to a day after it was heard. Leaders: by closed profit less fees of the days before from_time, so nobody leads by what comes later.
INSERT INTO hl_bars (chain, coin, start, open, high, low, close, trades, bought_usd, sold_usd, whale_bought_usd, whale_sold_usd, smart_bought_usd, smart_sold_usd, long_liquidated_usd, short_liquidated_usd, mark, rate, open_interest, bid_usd, ask_usd, ofi_usd, heard_at)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last,
  (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers,
  toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late, numbers['whale_usd'] AS whale,
  leaders AS (
    SELECT f.account AS account FROM hl_fills AS f
    WHERE f.chain = {chain:String} AND f.market = 'perp' AND f.block_number <= {through:UInt64} AND f.time >= first - toIntervalDay(toUInt32(numbers['smart_days'])) AND f.time < first AND if(f.heard_at > f.time + late, f.time, f.heard_at) < first
    GROUP BY account HAVING sum(toFloat64(f.px) * toFloat64(f.sz)) >= numbers['smart_usd'] AND sum(f.closed_pnl) - sum(f.fee) > 0
    ORDER BY sum(f.closed_pnl) - sum(f.fee) DESC, account LIMIT toUInt32(numbers['smart_accounts'])
  ),
  traded AS (
    SELECT t.coin AS coin, if(t.heard_at > t.time + late, t.time, t.heard_at) AS known, t.time AS time, t.tid AS tid, t.px AS px, toFloat64(t.px) * toFloat64(t.sz) AS usd, t.side = 'buy' AS bought, t.buyer IN (SELECT account FROM leaders) AS smart_buys, t.seller IN (SELECT account FROM leaders) AS smart_sells, t.heard_at AS heard
    FROM hl_trades AS t WHERE t.chain = {chain:String} AND t.market = 'perp' AND t.block_number <= {through:UInt64} AND t.time >= first - late AND t.time < last + INTERVAL 1 DAY AND known >= first AND known < last
  ),
  booked AS (
    SELECT coin, known, heard, bids, asks, (bids[1].px + asks[1].px) / 2 AS mid, lagInFrame((bids[1], asks[1], true)) OVER (PARTITION BY coin ORDER BY time, heard) AS before FROM (
      SELECT k.coin AS coin, k.time AS time, if(k.heard_at > k.time + late, k.time, k.heard_at) AS known, k.heard_at AS heard,
        arrayMap(level -> (toFloat64(level.px), toFloat64(level.sz))::Tuple(px Float64, sz Float64), k.bids) AS bids, arrayMap(level -> (toFloat64(level.px), toFloat64(level.sz))::Tuple(px Float64, sz Float64), k.asks) AS asks
      FROM hl_books AS k WHERE k.chain = {chain:String} AND k.market = 'perp' AND k.block_number <= {through:UInt64} AND k.time >= first - late - late AND k.time < last + INTERVAL 1 DAY AND known >= first - late AND known < last AND notEmpty(k.bids) AND notEmpty(k.asks)
    )
  ),
  named AS (SELECT c.place AS place, argMax(c.coin, c.time) AS coin FROM hl_coins AS c WHERE c.chain = {chain:String} AND c.dex = '' AND c.market = 'perp' AND c.block_number <= {through:UInt64} AND c.time < last GROUP BY c.place)
SELECT {chain:String}, coin, minute, sum(open) AS o, sum(high), sum(low), sum(close), toUInt32(sum(trades)), sum(b), sum(s), sum(wb), sum(ws), sum(sb), sum(ss), sum(ll), sum(sl), max(mark), max(rate), max(oi), max(bid), max(ask), max(ofi), max(heard)
FROM (
  SELECT toString(coin) AS coin, toStartOfMinute(toDateTime(known, 'UTC')) AS minute, argMin(px, (time, tid)) AS open, max(px) AS high, min(px) AS low, argMax(px, (time, tid)) AS close, count() AS trades,
    sumIf(usd, bought) AS b, sumIf(usd, NOT bought) AS s, sumIf(usd, bought AND usd >= whale) AS wb, sumIf(usd, NOT bought AND usd >= whale) AS ws, sumIf(usd, smart_buys) AS sb, sumIf(usd, smart_sells) AS ss, 0. AS ll, 0. AS sl,
    CAST(NULL, 'Nullable(Decimal(38, 18))') AS mark, CAST(NULL, 'Nullable(Decimal(38, 18))') AS rate, CAST(NULL, 'Nullable(Decimal(38, 18))') AS oi, CAST(NULL, 'Nullable(Float64)') AS bid, CAST(NULL, 'Nullable(Float64)') AS ask, CAST(NULL, 'Nullable(Float64)') AS ofi, max(heard) AS heard
  FROM traded GROUP BY coin, minute
  UNION ALL
  SELECT toString(l.coin) AS coin, toStartOfMinute(toDateTime(if(l.heard_at > l.time + late, l.time, l.heard_at), 'UTC')) AS minute, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sumIf(toFloat64(l.px) * toFloat64(l.sz), l.side = 'sell'), sumIf(toFloat64(l.px) * toFloat64(l.sz), l.side = 'buy'), NULL, NULL, NULL, NULL, NULL, NULL, max(l.heard_at)
  FROM hl_liquidations AS l WHERE l.chain = {chain:String} AND l.market = 'perp' AND l.kind = 'liquidation' AND l.block_number <= {through:UInt64} AND l.time >= first - late AND l.time < last + INTERVAL 1 DAY AND minute >= first AND minute < last GROUP BY coin, minute
  UNION ALL
  SELECT if(x.coin != '', toString(x.coin), toString(n.coin)) AS coin, toStartOfMinute(toDateTime(x.time, 'UTC')) AS minute, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, argMax(x.mark_px, x.time), argMax(x.rate, x.time), argMax(x.open_interest, x.time), NULL, NULL, NULL, max(x.heard_at)
  FROM hl_contexts AS x LEFT ANY JOIN named AS n ON n.place = x.place
  WHERE x.chain = {chain:String} AND x.dex = '' AND x.market = 'perp' AND x.block_number <= {through:UInt64} AND x.time >= first AND x.time < last GROUP BY coin, minute HAVING coin != ''
  UNION ALL
  SELECT toString(coin) AS coin, toStartOfMinute(toDateTime(known, 'UTC')) AS minute, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, argMax(arraySum(level -> if(level.px >= mid * 0.99, level.px * level.sz, 0), bids), known), argMax(arraySum(level -> if(level.px <= mid * 1.01, level.px * level.sz, 0), asks), known),
    sumOrNullIf(mid * (if(bids[1].px >= before.1.px, bids[1].sz, 0) - if(bids[1].px <= before.1.px, before.1.sz, 0) - if(asks[1].px <= before.2.px, asks[1].sz, 0) + if(asks[1].px >= before.2.px, before.2.sz, 0)), before.3), max(heard)
  FROM booked WHERE known >= first GROUP BY coin, minute
)
GROUP BY coin, minute ORDER BY coin, minute
