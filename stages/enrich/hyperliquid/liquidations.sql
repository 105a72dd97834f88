-- Fills that the venue called forced, once each by (time, coin, tid, extra), whichever sides of the trade were heard. Grain: one forced trade.
-- Parameters: chain, from, to, generation. Reads hl_read_fills by (chain, block_number), hl_liquidations by (chain, time)
-- at the times of the batch.
-- Whose position was closed: the account of a fill whose direction says so; else the one that the liquidation names, which may stand on the
-- other side's fill alone. A winner whose position is closed against the loser's says Auto-Deleveraging; where the loser's own fill is there, the trade is the loser's liquidation.
INSERT INTO hl_liquidations (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, kind, liquidated, side, px, sz, mark_px, method, hash, generation)
SELECT {chain:String}, min(f.block_number), argMin(f.source, (f.block_number, f.source)), min(f.heard_at), f.coin, any(f.market), any(f.dex), f.time, f.tid, f.extra,
  if(countIf(f.dir = 'Auto-Deleveraging') > 0 AND countIf(startsWith(f.dir, 'Liquidated')) = 0, 'adl', 'liquidation') AS forced,
  multiIf(countIf(startsWith(f.dir, 'Liquidated')) > 0, anyIf(f.account, startsWith(f.dir, 'Liquidated')), forced = 'adl', anyIf(f.account, f.dir = 'Auto-Deleveraging'),
    max(f.liquidated_account)) AS victim,
  multiIf(countIf(f.account = victim_of) > 0, anyIf(f.side, f.account = victim_of), any(f.side) = 'buy', 'sell', 'buy'),
  any(f.px), any(f.sz), any(f.liquidation_mark), max(f.liquidation_method), any(f.hash), {generation:UInt32}
FROM (
  SELECT *, multiIf(startsWith(dir, 'Liquidated') OR dir = 'Auto-Deleveraging', account, liquidated_account) AS victim_of FROM hl_read_fills
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
    AND (liquidation_method != '' OR startsWith(dir, 'Liquidated') OR dir = 'Auto-Deleveraging')
) AS f
WHERE (f.time, f.coin, f.tid, f.extra) NOT IN (
  SELECT time, coin, tid, extra FROM hl_liquidations AS stored WHERE stored.chain = {chain:String} AND stored.block_number < {from:UInt64}
    AND stored.time IN (SELECT time FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}))
GROUP BY f.coin, f.time, f.tid, f.extra
