-- Large trades of perps and fills the venue called forced, newest first, strictly below a sort position. Who was auto-deleveraged was not liquidated: that is a trade. A trade moves exposure from its seller to its buyer; of a forced one of which one side was heard the other is the zero address.
-- Grain: one trade. Parameters: min_usd, since, until (Unix milliseconds), limit; the position: time (Unix milliseconds), coin, tid, extra. Sort keys: hl_trades, hl_liquidations (hl_forced: chain, time, coin, tid, extra).
-- amount: size in units of 1e-18 of the coin. block: the segment it was heard in. Spot is left out. What the venue estimates nowhere is estimated here neither.
WITH
  fromUnixTimestamp64Milli({since:Int64}, 'UTC') AS first, fromUnixTimestamp64Milli(least({until:Int64}, {time:Int64}), 'UTC') AS last, fromUnixTimestamp64Milli({time:Int64}, 'UTC') AS below,
  forced AS MATERIALIZED (
    SELECT l.kind = 'liquidation' AS liquidation, l.time AS time, l.coin AS coin, l.tid AS tid, l.extra AS extra, l.block_number AS block, l.side AS side, l.px AS px, l.sz AS sz, l.hash AS hash, l.liquidated AS liquidated FROM hl_forced AS l
    WHERE l.chain = 'HL' AND l.market != 'spot' AND l.time >= first AND l.time <= last AND (l.time < below OR (toString(l.coin), l.tid, l.extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) AND toFloat64(l.px) * toFloat64(l.sz) >= {min_usd:Float64} ORDER BY l.time DESC, l.coin, l.tid, l.extra LIMIT {limit:UInt32}
  ),
  large AS (
    SELECT t.time AS time, t.coin AS coin, t.tid AS tid, t.extra AS extra, t.block_number AS block, t.px AS px, t.sz AS sz, t.hash AS hash, t.buyer AS buyer, t.seller AS seller FROM hl_trades AS t
    WHERE t.chain = 'HL' AND t.market != 'spot' AND t.time >= first AND t.time <= last AND (t.time < below OR (toString(t.coin), t.tid, t.extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64})) AND toFloat64(t.px) * toFloat64(t.sz) >= {min_usd:Float64} ORDER BY t.time DESC, t.coin, t.tid, t.extra LIMIT {limit:UInt32}
  )
SELECT 'HL' AS chain, concat('0x', lower(hex(e.hash))) AS tx_hash, toFloat64(e.block) AS block_number, concat('0x', repeat('0', 64)) AS block_hash, e.time AS timestamp, if(e.forced, 'perp_liquidation', 'perp_trade') AS kind, 0 AS position,
  concat('0x', lower(hex(e.seller))) AS from_address, '' AS from_label, '' AS from_entity, '' AS from_class, concat('0x', lower(hex(e.buyer))) AS to_address, '' AS to_label, '' AS to_entity, '' AS to_class,
  concat('0x', repeat('0', 40)) AS token, toString(e.coin) AS token_symbol, 18 AS token_decimals, toString(toInt256(toDecimal256(e.sz, 18) * toDecimal256('1000000000000000000', 0))) AS amount, toString(e.sz) AS size, round(toFloat64(e.px) * toFloat64(e.sz), 6) AS value_usd, 'trade' AS price_method,
  (toFloat64(toUnixTimestamp64Milli(e.time)), toString(e.coin), toString(e.tid), toString(e.extra)) AS at
FROM (
  SELECT b.time AS time, b.coin AS coin, b.tid AS tid, b.extra AS extra, b.block AS block, b.px AS px, b.sz AS sz, b.hash AS hash, b.buyer AS buyer, b.seller AS seller, (b.time, b.coin, b.tid, b.extra) IN (SELECT time, coin, tid, extra FROM forced WHERE liquidation) AS forced FROM large AS b
  UNION ALL
  SELECT f.time, f.coin, f.tid, f.extra, f.block, f.px, f.sz, f.hash, if(f.side = 'buy', f.liquidated, toFixedString('', 20)), if(f.side = 'sell', f.liquidated, toFixedString('', 20)), f.liquidation FROM forced AS f
  WHERE (f.time, f.coin, f.tid, f.extra) NOT IN (SELECT t.time, t.coin, t.tid, t.extra FROM hl_trades AS t WHERE t.chain = 'HL' AND t.time >= (SELECT min(time) FROM forced) AND (t.time, t.coin, t.tid, t.extra) IN (SELECT time, coin, tid, extra FROM forced))
) AS e
ORDER BY e.time DESC, e.coin, e.tid, e.extra LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
