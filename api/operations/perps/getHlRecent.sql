-- Large trades of the venue and fills it called forced, newest first; trades of segments above `entered` as they were said, before any stage has come to them. A forced trade
-- of which only one side was heard has the account that was closed and nobody else. Who was auto-deleveraged was not liquidated: that is a trade. Grain: one trade. Parameters: from (Unix milliseconds), min_usd, limit, entered; the position the page
-- before ended at: before (Unix milliseconds), coin, tid, extra. Sort keys: hl_trades, hl_liquidations (chain, time, coin, tid, extra); hl_heard_trades is in memory. Quotes count as dollars.
-- Of a liquidation told in several segments the last one counts, as in hl_forced.
-- What is said of one trade in several places comes together by its key: as a trade, if anybody said it whole, with who was closed by it.
WITH
  fromUnixTimestamp64Milli({from:Int64}, 'UTC') AS since, fromUnixTimestamp64Milli({before:Int64}, 'UTC') AS last
SELECT if(e.closed != toFixedString('', 20), 'liquidation', 'trade') AS kind, e.coin AS coin, e.one.1 AS side, toFloat64(toString(e.one.2)) AS price, toString(e.one.3) AS size, round(toFloat64(e.one.2) * toFloat64(e.one.3), 6) AS value_usd, e.time AS timestamp,
  concat('0x', lower(hex(e.one.4))) AS hash, toString(e.tid) AS trade_id,
  if(e.one.5 = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(e.one.5))))) AS buyer, if(e.one.6 = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(e.one.6))))) AS seller,
  if(e.heard, if(side = 'buy', buyer, seller), NULL) AS taker,
  if(e.closed = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(e.closed))))) AS liquidated, if(e.how IN ('market', 'backstop'), toNullable(e.how), NULL) AS method,
  (toFloat64(toUnixTimestamp64Milli(e.time)), e.coin, toString(e.tid), toString(e.extra)) AS at
FROM (
  SELECT b.time AS time, b.coin AS coin, b.tid AS tid, b.extra AS extra, argMax((b.side, b.px, b.sz, b.hash, b.buyer, b.seller), b.known) AS one, max(b.known) AS heard, max(b.closed) AS closed, max(b.how) AS how FROM (
    SELECT t.time AS time, toString(t.coin) AS coin, t.tid AS tid, t.extra AS extra, toString(t.side) AS side, t.px AS px, t.sz AS sz, t.hash AS hash, t.buyer AS buyer, t.seller AS seller, true AS known, toFixedString('', 20) AS closed, '' AS how FROM hl_trades AS t
    WHERE t.chain = 'HL' AND t.time > since AND t.time <= last AND (t.time < last OR (toString(t.coin), t.tid, t.extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) AND toFloat64(t.px) * toFloat64(t.sz) >= {min_usd:Float64} ORDER BY t.time DESC, t.coin, t.tid, t.extra LIMIT {limit:UInt32}
    UNION ALL
    SELECT w.time, w.coin, w.tid, toUInt64(0), toString(w.side), w.px, w.sz, w.hash, w.buyer, w.seller, true, toFixedString('', 20), '' FROM hl_heard_trades AS w
    WHERE w.number > {entered:UInt64} AND w.time > since AND w.time <= last AND (w.time < last OR (w.coin, w.tid, toUInt64(0)) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) AND toFloat64(w.px) * toFloat64(w.sz) >= {min_usd:Float64}
    UNION ALL
    SELECT l.time, toString(l.coin), l.tid, l.extra, toString(l.side), l.px, l.sz, l.hash, if(l.side = 'buy', l.liquidated, toFixedString('', 20)), if(l.side = 'sell', l.liquidated, toFixedString('', 20)), false, if(l.kind = 'liquidation', l.liquidated, toFixedString('', 20)), if(l.kind = 'liquidation', toString(l.method), '') FROM hl_liquidations AS l
    WHERE l.chain = 'HL' AND l.time > since AND l.time <= last AND (l.time < last OR (toString(l.coin), l.tid, l.extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) AND toFloat64(l.px) * toFloat64(l.sz) >= {min_usd:Float64} ORDER BY l.time DESC, l.coin, l.tid, l.extra, l.block_number DESC LIMIT 1 BY l.time, l.coin, l.tid, l.extra LIMIT {limit:UInt32}
  ) AS b GROUP BY b.time, b.coin, b.tid, b.extra ORDER BY b.time DESC, b.coin, b.tid, b.extra LIMIT {limit:UInt32}
) AS e
ORDER BY e.time DESC, e.coin, e.tid, e.extra
