-- Large trades of the venue and fills it called forced, newest first. A forced trade of which only one side was heard has the account that was closed and nobody else.
-- Grain: one trade. Parameters: from (Unix milliseconds), min_usd, limit; the position the page before ended at: before (Unix milliseconds), coin, tid, extra. Sort keys: hl_trades, hl_liquidations (chain, time, coin, tid, extra). Quotes count as dollars.
WITH
  fromUnixTimestamp64Milli({from:Int64}, 'UTC') AS since, fromUnixTimestamp64Milli({before:Int64}, 'UTC') AS last,
  forced AS (
    SELECT l.time AS time, l.coin AS coin, l.tid AS tid, l.extra AS extra, l.side AS side, l.px AS px, l.sz AS sz, l.hash AS hash, l.liquidated AS liquidated, l.method AS method FROM hl_liquidations AS l
    WHERE l.chain = 'HL' AND l.time > since AND l.time <= last AND (l.time < last OR (toString(l.coin), l.tid, l.extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) AND toFloat64(l.px) * toFloat64(l.sz) >= {min_usd:Float64} ORDER BY l.time DESC, l.coin, l.tid, l.extra LIMIT {limit:UInt32}
  ),
  large AS (
    SELECT t.time AS time, t.coin AS coin, t.tid AS tid, t.extra AS extra, toString(t.side) AS side, t.px AS px, t.sz AS sz, t.hash AS hash, t.buyer AS buyer, t.seller AS seller FROM hl_trades AS t
    WHERE t.chain = 'HL' AND t.time > since AND t.time <= last AND (t.time < last OR (toString(t.coin), t.tid, t.extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) AND toFloat64(t.px) * toFloat64(t.sz) >= {min_usd:Float64} ORDER BY t.time DESC, t.coin, t.tid, t.extra LIMIT {limit:UInt32}
  )
SELECT if(e.closed != toFixedString('', 20), 'liquidation', 'trade') AS kind, toString(e.coin) AS coin, e.side AS side, toFloat64(toString(e.px)) AS price, toString(e.sz) AS size, round(toFloat64(e.px) * toFloat64(e.sz), 6) AS value_usd, e.time AS timestamp,
  concat('0x', lower(hex(e.hash))) AS hash, toString(e.tid) AS trade_id,
  if(e.buyer = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(e.buyer))))) AS buyer, if(e.seller = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(e.seller))))) AS seller,
  if(e.known, toNullable(concat('0x', lower(hex(if(e.side = 'buy', e.buyer, e.seller))))), NULL) AS taker,
  if(e.closed = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(e.closed))))) AS liquidated, if(e.how IN ('market', 'backstop'), toNullable(e.how), NULL) AS method,
  (toFloat64(toUnixTimestamp64Milli(e.time)), toString(e.coin), toString(e.tid), toString(e.extra)) AS at
FROM (
  SELECT b.time AS time, b.coin AS coin, b.tid AS tid, b.extra AS extra, b.side AS side, b.px AS px, b.sz AS sz, b.hash AS hash, b.buyer AS buyer, b.seller AS seller, true AS known, f.liquidated AS closed, toString(f.method) AS how
  FROM large AS b LEFT ANY JOIN forced AS f ON f.time = b.time AND f.coin = b.coin AND f.tid = b.tid AND f.extra = b.extra
  UNION ALL
  SELECT f.time, f.coin, f.tid, f.extra, toString(f.side), f.px, f.sz, f.hash, if(f.side = 'buy', f.liquidated, toFixedString('', 20)), if(f.side = 'sell', f.liquidated, toFixedString('', 20)), false, f.liquidated, toString(f.method) FROM forced AS f
  WHERE (f.time, f.coin, f.tid, f.extra) NOT IN (
    SELECT t.time, t.coin, t.tid, t.extra FROM hl_trades AS t WHERE t.chain = 'HL' AND t.time >= (SELECT min(time) FROM forced) AND (t.time, t.coin, t.tid, t.extra) IN (SELECT time, coin, tid, extra FROM forced))
) AS e
ORDER BY e.time DESC, e.coin, e.tid, e.extra LIMIT {limit:UInt32}
