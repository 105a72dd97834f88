-- Minutes of perps by when things could be known: prices, takers, whales, leaders, liquidations, what contexts and books said last. Grain: one minute of one coin, written once.
-- Parameters: chain, from_time, to_time (Unix seconds, the end is left out), through. Sort keys: hl_trades, hl_liquidations (chain, time, …), hl_contexts (chain, dex, coin, time), hl_books (chain, coin, time), hl_leading (chain, look, …).
-- A trade may claim a time of up to a day after it was heard. Leaders are those before from_time, so nobody leads by what comes later. A book is said 20 levels a side: of a side that has as many
-- nothing is known beyond the last, so dollars within 1 % are null where that goes further; book: of the widest band that is known on both sides.
-- at: time and tid in one number: to compare tuples takes eight times as long.
INSERT INTO hl_bars (chain, coin, start, open, high, low, close, trades, bought_usd, sold_usd, whale_bought_usd, whale_sold_usd, smart_bought_usd, smart_sold_usd, long_liquidated_usd, short_liquidated_usd, mark, rate, open_interest, bid_usd, ask_usd, ofi_usd, book, heard_at)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last,
  (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers,
  toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late, numbers['whale_usd'] AS whale,
  leaders AS (SELECT l.account FROM hl_leading AS l WHERE l.chain = {chain:String} AND l.look = first),
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
SELECT {chain:String}, coin, minute, sum(open) AS o, sum(high), sum(low), sum(close), toUInt32(sum(trades)), sum(b), sum(s), sum(wb), sum(ws), sum(sb), sum(ss), sum(ll), sum(sl), max(mark), max(rate), max(oi), max(bid), max(ask), max(ofi), max(book), max(heard)
FROM (
  SELECT toString(coin) AS coin, toStartOfMinute(toDateTime(known, 'UTC')) AS minute, argMin(px, bitShiftLeft(toUInt128(toUnixTimestamp64Milli(time)), 64) + tid AS at) AS open, max(px) AS high, min(px) AS low, argMax(px, at) AS close, count() AS trades,
    sumIf(usd, bought) AS b, sumIf(usd, NOT bought) AS s, sumIf(usd, bought AND usd >= whale) AS wb, sumIf(usd, NOT bought AND usd >= whale) AS ws, sumIf(usd, smart_buys) AS sb, sumIf(usd, smart_sells) AS ss, 0. AS ll, 0. AS sl,
    CAST(NULL, 'Nullable(Decimal(38, 18))') AS mark, CAST(NULL, 'Nullable(Decimal(38, 18))') AS rate, CAST(NULL, 'Nullable(Decimal(38, 18))') AS oi, CAST(NULL, 'Nullable(Float64)') AS bid, CAST(NULL, 'Nullable(Float64)') AS ask, CAST(NULL, 'Nullable(Float64)') AS ofi, CAST(NULL, 'Nullable(Float64)') AS book, max(heard) AS heard
  FROM traded GROUP BY coin, minute
  UNION ALL
  SELECT coin, toStartOfMinute(toDateTime(if(heard > time + late, time, heard), 'UTC')) AS minute, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sumIf(usd, word.2 = 'sell'), sumIf(usd, word.2 = 'buy'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, max(heard)
  FROM (
    SELECT toString(l.coin) AS coin, l.time AS time, min(l.heard_at) AS heard, argMax((l.kind, l.side), l.block_number) AS word, toFloat64(any(l.px)) * toFloat64(any(l.sz)) AS usd
    FROM hl_liquidations AS l WHERE l.chain = {chain:String} AND l.market = 'perp' AND l.block_number <= {through:UInt64} AND l.time >= first - late AND l.time < last + INTERVAL 1 DAY GROUP BY l.coin, l.time, l.tid, l.extra
  ) WHERE word.1 = 'liquidation' AND minute >= first AND minute < last GROUP BY coin, minute
  UNION ALL
  SELECT if(x.coin != '', toString(x.coin), toString(n.coin)) AS coin, toStartOfMinute(toDateTime(x.time, 'UTC')) AS minute, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, argMax(x.mark_px, x.time), argMax(x.rate, x.time), argMax(x.open_interest, x.time), NULL, NULL, NULL, NULL, max(x.heard_at)
  FROM hl_contexts AS x LEFT ANY JOIN named AS n ON n.place = x.place
  WHERE x.chain = {chain:String} AND x.dex = '' AND x.market = 'perp' AND x.block_number <= {through:UInt64} AND x.time >= first AND x.time < last GROUP BY coin, minute HAVING coin != ''
  UNION ALL
  SELECT coin, minute, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, bands[-1].bid, bands[-1].ask, ofi, if(widest.bid + widest.ask > 0, (widest.bid - widest.ask) / (widest.bid + widest.ask), NULL), heard FROM (
    SELECT *, arrayMap(width -> CAST((if(length(newest.1) >= 20 AND newest.1[-1].px > newest.3 * (1 - width), NULL, arraySum(level -> if(level.px >= newest.3 * (1 - width), level.px * level.sz, 0), newest.1)),
        if(length(newest.2) >= 20 AND newest.2[-1].px < newest.3 * (1 + width), NULL, arraySum(level -> if(level.px <= newest.3 * (1 + width), level.px * level.sz, 0), newest.2))), 'Tuple(bid Nullable(Float64), ask Nullable(Float64))'), [0.0005, 0.001, 0.0025, 0.005, 0.01]) AS bands,
      arrayFilter(band -> band.bid IS NOT NULL AND band.ask IS NOT NULL, bands)[-1] AS widest
    FROM (
      SELECT toString(coin) AS coin, toStartOfMinute(toDateTime(known, 'UTC')) AS minute, argMax((bids, asks, mid), known) AS newest,
        sumOrNullIf(mid * (if(bids[1].px >= before.1.px, bids[1].sz, 0) - if(bids[1].px <= before.1.px, before.1.sz, 0) - if(asks[1].px <= before.2.px, asks[1].sz, 0) + if(asks[1].px >= before.2.px, before.2.sz, 0)), before.3) AS ofi, max(heard) AS heard
      FROM booked WHERE known >= first GROUP BY coin, minute
    )
  )
)
GROUP BY coin, minute ORDER BY coin, minute
