-- Fills that the venue called forced, by (time, coin, tid, extra), whichever sides of the trade were heard: a row where a segment changes what is known of the trade, none where it says nothing new.
-- Grain: one forced trade as of one segment; hl_forced says what is known now. Parameters: chain, from, to, generation. Reads hl_read_fills by (chain, block_number), hl_liquidations by (chain, time)
-- at the times of the batch.
-- Whose position was closed: the account of a fill whose direction says Liquidated; else of one that says Auto-Deleveraging, a winner whose position is closed against the loser's; else the one that the
-- liquidation names, which may stand on the other side's fill alone. The higher word stands whichever came first, in one batch or in several; of two equal ones the larger account. What was judged
-- before words were kept (told: unknown) stays as it was.
INSERT INTO hl_liquidations (chain, block_number, source, heard_at, coin, market, dex, time, tid, extra, kind, liquidated, side, px, sz, mark_px, method, hash, told, generation)
WITH
  said AS (
    SELECT f.coin AS coin, f.time AS time, f.tid AS tid, f.extra AS extra, f.block_number AS block, any(f.market) AS market, any(f.dex) AS dex, min(f.source) AS source, min(f.heard_at) AS heard,
      max((multiIf(startsWith(f.dir, 'Liquidated'), 3, f.dir = 'Auto-Deleveraging', 2, 1), if(startsWith(f.dir, 'Liquidated') OR f.dir = 'Auto-Deleveraging', f.account, f.liquidated_account),
        if((f.side = 'buy') = (startsWith(f.dir, 'Liquidated') OR f.dir = 'Auto-Deleveraging' OR f.account = f.liquidated_account), 'buy', 'sell'))) AS word,
      max(f.px) AS px, max(f.sz) AS sz, max(f.liquidation_mark) AS mark, max(toString(f.liquidation_method)) AS method, max(f.hash) AS hash
    FROM hl_read_fills AS f
    WHERE f.chain = {chain:String} AND f.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND f.generation = {generation:UInt32} AND (f.liquidation_method != '' OR startsWith(f.dir, 'Liquidated') OR f.dir = 'Auto-Deleveraging')
    GROUP BY f.coin, f.time, f.tid, f.extra, f.block_number
  ),
  known AS (
    SELECT coin, time, tid, extra, block_number, market, dex, source, heard_at, (if(told = 'unknown', if(kind = 'adl', 2, 3), toUInt8(told)), liquidated, toString(side)), px, sz, mark_px, toString(method), hash FROM hl_liquidations AS stored
    WHERE stored.chain = {chain:String} AND stored.block_number < {from:UInt64} AND stored.time IN (SELECT time FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64})
    ORDER BY stored.block_number DESC LIMIT 1 BY stored.coin, stored.time, stored.tid, stored.extra
  )
SELECT {chain:String}, block, source, heard, coin, market, dex, time, tid, extra, if(answer.1.1 = 2, 'adl', 'liquidation'), answer.1.2, answer.1.3, answer.2, answer.3, answer.4, answer.5, answer.6, answer.1.1, {generation:UInt32}
FROM (
  SELECT *, lagInFrame((answer, true)) OVER (PARTITION BY coin, time, tid, extra ORDER BY block ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before FROM (
    SELECT coin, time, tid, extra, block, market, dex, source, heard, (max(word) OVER so_far, max(px) OVER so_far, max(sz) OVER so_far, max(mark) OVER so_far, max(method) OVER so_far, max(hash) OVER so_far) AS answer
    FROM (SELECT coin, time, tid, extra, block, market, dex, source, heard, word, px, sz, mark, method, hash FROM said UNION ALL SELECT * FROM known)
    WINDOW so_far AS (PARTITION BY coin, time, tid, extra ORDER BY block ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  )
)
WHERE block >= {from:UInt64} AND NOT (before.2 AND before.1 IS NOT DISTINCT FROM answer)
ORDER BY block, time, coin, tid, extra
