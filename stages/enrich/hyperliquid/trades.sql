-- Trades not heard before: those of the streams and files, and those whose two fills both came in one batch. Grain: one trade, once by
-- (time, coin, tid, extra); one without an id is the same as one with an id of the same accounts, price and size at that time.
-- Parameters: chain, from, to, generation. Reads hl_read_trades and hl_read_fills by (chain, block_number), hl_trades by (chain, time) at the
-- times of the batch: a batch of old and new things reads what stands at those times, not all between.
INSERT INTO hl_trades (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, side, px, sz, buyer, seller, buyer_oid, seller_oid, hash, generation)
WITH times AS (
  SELECT time FROM hl_read_trades WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
  UNION ALL SELECT time FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
), heard AS (
  SELECT block_number, source, heard_at, coin, market, dex, time, tid, extra, side, px, sz, buyer, seller, buyer_oid, seller_oid, hash FROM hl_read_trades
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  UNION ALL
  SELECT min(f.block_number), argMin(f.source, (f.block_number, f.source)), min(f.heard_at), f.coin, any(f.market), any(f.dex), f.time, f.tid, f.extra, anyIf(f.side, f.crossed), any(f.px), any(f.sz),
    anyIf(f.account, f.side = 'buy'), anyIf(f.account, f.side = 'sell'), anyIf(f.oid, f.side = 'buy'), anyIf(f.oid, f.side = 'sell'), any(f.hash)
  FROM hl_read_fills AS f WHERE f.chain = {chain:String} AND f.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND f.generation = {generation:UInt32} AND f.tid != 0
  GROUP BY f.coin, f.time, f.tid, f.extra HAVING uniqExact(f.side) = 2 AND uniqExactIf(f.side, f.crossed) = 1
), stored AS (
  SELECT t.time AS time, t.coin AS coin, t.tid AS tid, t.extra AS extra, t.buyer AS buyer, t.seller AS seller, t.px AS px, t.sz AS sz FROM hl_trades AS t
  WHERE t.chain = {chain:String} AND t.block_number < {from:UInt64} AND t.time IN (SELECT time FROM times)
)
SELECT {chain:String}, block_number, source, heard_at, coin, market, dex, time, tid, extra, side, px, sz, buyer, seller, buyer_oid, seller_oid, hash, {generation:UInt32}
FROM (SELECT *, max(tid) OVER (PARTITION BY time, coin, buyer, seller, px, sz) AS named FROM heard)
WHERE (tid != 0 OR named = 0) AND (time, coin, tid, extra) NOT IN (SELECT time, coin, tid, extra FROM stored)
  AND NOT (tid = 0 AND (time, coin, buyer, seller, px, sz) IN (SELECT time, coin, buyer, seller, px, sz FROM stored WHERE tid != 0))
  AND NOT (tid != 0 AND (time, coin, buyer, seller, px, sz) IN (SELECT time, coin, buyer, seller, px, sz FROM stored WHERE tid = 0))
ORDER BY block_number, heard_at, source LIMIT 1 BY time, coin, tid, extra
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1
