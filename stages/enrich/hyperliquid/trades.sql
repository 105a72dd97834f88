-- Trades not heard before: those of the streams and files, and those of which both fills are known, in whichever batches they came: such a trade stands where the later of the two was heard first.
-- Grain: one trade, once by (time, coin, tid, extra); one without an id is the same as one with an id of the same accounts, price and size at that time, and the one heard first stands (in one segment the one with an id).
-- What stands hangs on the order of segments alone, not on how they were batched.
-- Parameters: chain, from, to, generation. Reads hl_read_trades and hl_read_fills by (chain, block_number); hl_trades and hl_fills by their sort keys at the times of
-- the batch: a batch of old and new things reads what stands at those times, not all between.
INSERT INTO hl_trades (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, side, px, sz, buyer, seller, buyer_oid, seller_oid, hash, generation)
WITH times AS (
  SELECT time FROM hl_read_trades WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
  UNION ALL SELECT time FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
), fills AS (
  SELECT block_number, source, heard_at, coin, market, dex, time, tid, extra, account, side, px, sz, oid, crossed, hash FROM hl_read_fills
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND tid != 0
), earlier AS (
  SELECT s.block_number, s.source, s.heard_at, s.coin, s.market, s.dex, s.time, s.tid, s.extra, s.account, s.side, s.px, s.sz, s.oid, s.crossed, s.hash FROM hl_fills AS s
  WHERE s.chain = {chain:String} AND s.block_number < {from:UInt64} AND s.tid != 0 AND s.time IN (SELECT time FROM fills)
), heard AS (
  SELECT block_number, source, heard_at, coin, market, dex, time, tid, extra, side, px, sz, buyer, seller, buyer_oid, seller_oid, hash FROM hl_read_trades
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  UNION ALL
  SELECT greatest(minIf(f.block_number, f.side = 'buy'), minIf(f.block_number, f.side = 'sell')) AS known_at, min((f.block_number, f.heard_at, f.source)).3, min((f.block_number, f.heard_at, f.source)).2, f.coin, any(f.market), any(f.dex), f.time, f.tid, f.extra, anyIf(f.side, f.crossed), any(f.px), any(f.sz),
    anyIf(f.account, f.side = 'buy'), anyIf(f.account, f.side = 'sell'), anyIf(f.oid, f.side = 'buy'), anyIf(f.oid, f.side = 'sell'), any(f.hash)
  FROM (SELECT * FROM fills UNION ALL SELECT * FROM earlier) AS f
  GROUP BY f.coin, f.time, f.tid, f.extra HAVING uniqExact(f.side) = 2 AND uniqExactIf(f.side, f.crossed) = 1 AND known_at >= {from:UInt64}
), stored AS (
  SELECT t.time AS time, t.coin AS coin, t.tid AS tid, t.extra AS extra, t.buyer AS buyer, t.seller AS seller, t.px AS px, t.sz AS sz FROM hl_trades AS t
  WHERE t.chain = {chain:String} AND t.block_number < {from:UInt64} AND t.time IN (SELECT time FROM times)
)
SELECT {chain:String}, block_number, source, heard_at, coin, market, dex, time, tid, extra, side, px, sz, buyer, seller, buyer_oid, seller_oid, hash, {generation:UInt32}
FROM (
  SELECT *, min(if(tid != 0, block_number, toUInt64(-1))) OVER same AS named_at, min(if(tid = 0, block_number, toUInt64(-1))) OVER same AS unnamed_at FROM heard
  WINDOW same AS (PARTITION BY time, coin, buyer, seller, px, sz)
)
WHERE if(tid != 0, named_at <= unnamed_at, unnamed_at < named_at) AND (time, coin, tid, extra) NOT IN (SELECT time, coin, tid, extra FROM stored)
  AND NOT (tid = 0 AND (time, coin, buyer, seller, px, sz) IN (SELECT time, coin, buyer, seller, px, sz FROM stored WHERE tid != 0))
  AND NOT (tid != 0 AND (time, coin, buyer, seller, px, sz) IN (SELECT time, coin, buyer, seller, px, sz FROM stored WHERE tid = 0))
ORDER BY block_number, heard_at, source LIMIT 1 BY time, coin, tid, extra
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1
