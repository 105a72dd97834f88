-- Large trades of the venue and fills it called forced, newest first; trades of segments above `entered` as they were said, before any stage has come to them. A forced trade
-- of which only one side was heard has the account that was closed and nobody else. Who was auto-deleveraged was not liquidated: that is a trade. Whose position was closed need not be told. Grain: one trade. Parameters: from (Unix milliseconds), min_usd, limit, entered; the position the page
-- before ended at: before (Unix milliseconds), coin, tid, extra. Sort keys: hl_trades, hl_liquidations (chain, time, coin, tid, extra); hl_heard_trades is in memory. Quotes count as dollars.
-- Of a liquidation told in several segments the last one counts, as in hl_forced.
-- What is said of one trade in several places comes together by its key: as a trade, if anybody said it whole, with who was closed by it.
-- Asked many times a second, and most of its cost is the same without any row: few expressions, hash and accounts in plain hex (nobody: zeros), and a first page without the conditions of further ones.
WITH fromUnixTimestamp64Milli({from:Int64}, 'UTC') AS since, fromUnixTimestamp64Milli({before:Int64}, 'UTC') AS last, toFixedString('', 20) AS nobody
SELECT if(empty(how), 'trade', 'liquidation') AS kind, coin, one.1 AS side, toFloat64(toString(one.2)) AS price, toString(one.3) AS size, round(toFloat64(one.2) * toFloat64(one.3), 6) AS value_usd, time AS timestamp,
  hex(one.4) AS hash, toString(tid) AS trade_id, toString(extra) AS apart, hex(one.5) AS buyer, hex(one.6) AS seller, heard, hex(closed) AS liquidated, substring(how, 4) AS method
FROM (
  SELECT time, coin, tid, extra, argMax((side, px, sz, hash, buyer, seller), known) AS one, max(known) AS heard, max(forced) AS closed, max(way) AS how FROM (
    SELECT time, coin, tid, extra, side, px, sz, hash, buyer, seller, true AS known, nobody AS forced, '' AS way FROM hl_trades
    WHERE chain = 'HL' AND time > since AND time <= last
      AND (time < last OR (coin, tid, extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) -- further pages
      AND toFloat64(px) * toFloat64(sz) >= {min_usd:Float64} ORDER BY time DESC, coin, tid, extra LIMIT {limit:UInt32}
    UNION ALL
    SELECT time, coin, tid, 0, side, px, sz, hash, buyer, seller, true, nobody, '' FROM hl_heard_trades
    WHERE number > {entered:UInt64} AND time > since AND time <= last
      AND (time < last OR (coin, tid, 0) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) -- further pages
      AND toFloat64(px) * toFloat64(sz) >= {min_usd:Float64}
    UNION ALL
    SELECT time, coin, tid, extra, side, px, sz, hash, if(side = 'buy', liquidated, nobody), if(side = 'sell', liquidated, nobody), false, if(kind = 'liquidation', liquidated, nobody), if(kind = 'liquidation', concat('by ', method), '') FROM hl_liquidations
    WHERE chain = 'HL' AND time > since AND time <= last
      AND (time < last OR (coin, tid, extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) -- further pages
      AND toFloat64(px) * toFloat64(sz) >= {min_usd:Float64} ORDER BY time DESC, coin, tid, extra, block_number DESC LIMIT 1 BY time, coin, tid, extra LIMIT {limit:UInt32}
  ) GROUP BY time, coin, tid, extra ORDER BY time DESC, coin, tid, extra LIMIT {limit:UInt32}
)
ORDER BY time DESC, coin, tid, extra
