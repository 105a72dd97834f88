-- An account that gained over the days before opens a position from flat. Grain: one opening fill. Parameters: chain, from, to, generation. A rule without a threshold on the chain is silent.
-- What it gained is of fills heard in segments below the batch and made before the fill: what comes later changes nothing. The id is a hash of chain, account, time, coin and trade.
-- Sort keys: hl_read_fills (chain, block_number, …), hl_fills (chain, time, …), hl_account_fills (chain, account, coin, time, …).
INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
WITH
  (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers,
  (SELECT (min(time), max(time)) FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AS reach,
  opened AS (
    SELECT f.account AS account, f.coin AS coin, f.time AS time, f.tid AS tid, f.extra AS extra, f.side AS side, f.px AS px, toFloat64(f.px) * toFloat64(f.sz) AS usd, f.hash AS hash, f.block_number AS block_number, t.severity AS severity, t.threshold AS threshold FROM hl_fills AS f
    CROSS JOIN (SELECT argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds WHERE chain = {chain:String} AND rule = 'copy_trade' HAVING count() > 0) AS t
    WHERE f.chain = {chain:String} AND f.time BETWEEN reach.1 AND reach.2 AND f.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND f.generation = {generation:UInt32} AND f.market = 'perp' AND f.start_position = 0 AND usd >= t.threshold
  ),
  gained AS (
    SELECT o.account AS account, o.coin AS coin, o.time AS time, o.tid AS tid, o.extra AS extra, toFloat64(sum(a.closed_pnl) - sum(a.fee)) AS profit, countIf(a.closed_pnl != 0) AS closings, countIf(a.closed_pnl > a.fee) / greatest(closings, 1) AS wins
    FROM opened AS o INNER JOIN hl_account_fills AS a ON a.account = o.account
    WHERE a.chain = {chain:String} AND a.account IN (SELECT account FROM opened) AND a.market = 'perp' AND a.block_number < {from:UInt64} AND a.time < o.time AND a.time >= o.time - toIntervalDay(toUInt32(numbers['leader_days']))
    GROUP BY o.account, o.coin, o.time, o.tid, o.extra
    HAVING profit >= numbers['leader_usd'] AND closings >= numbers['leader_closings'] AND wins >= numbers['leader_wins']
  )
SELECT {chain:String}, SHA256(concat('copy_trade|', {chain:String}, '|', lower(hex(o.account)), '|', toString(toUnixTimestamp64Milli(o.time)), '|', o.coin, '|', toString(o.tid), '|', toString(o.extra))), 'copy_trade', 'confirmed', o.severity, least(100, 40 + 10 * log10(greatest(o.usd / greatest(o.threshold, 1), 1)) + 10 * log10(greatest(g.profit / numbers['leader_usd'], 1)) + 20 * (g.wins - 0.5)),
  o.coin, if(o.side = 'buy', 'long', 'short'), o.account, o.px, round(o.usd, 6), o.time, o.hash, o.tid, concat('0x', lower(hex(o.account)), ' opened a ', if(o.side = 'buy', 'long', 'short'), ' of $', toString(round(o.usd)), ' in ', o.coin, ' at ', toString(o.px)),
  concat('gained $', toString(round(g.profit)), ' net of fees in ', toString(numbers['leader_days']), ' days before, ', toString(round(g.wins * 100, 1)), ' % of ', toString(g.closings), ' closing fills with a gain'), o.block_number, {generation:UInt32}
FROM opened AS o INNER JOIN gained AS g ON g.account = o.account AND g.coin = o.coin AND g.time = o.time AND g.tid = o.tid AND g.extra = o.extra
ORDER BY o.time, o.account, o.coin, o.tid
