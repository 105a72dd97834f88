-- An account that gained over the days before opens a position from flat, by one order in however many fills. Grain: one order, told of the segment with which its fills since the one from flat, of a day at most,
-- are worth the threshold: later fills tell nothing again. What it gained is of fills made before and heard in segments below that one. It hangs on the order of segments alone; the id is a hash of chain,
-- account, coin and order. An order without an id is not judged, nor is what an answer told more than a day after; a rule without a threshold on the chain is silent. px: mean by size; time, hash, tid: of the fill from flat. Parameters: chain, from, to, generation.
-- Sort keys: hl_read_fills (chain, block_number, …), hl_account_fills (chain, account, coin, time, …), hl_fills (chain, time, …) at the times of the openings told.
INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
WITH
  (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers,
  (SELECT (argMax(threshold, version), argMax(severity, version), count() > 0) FROM alert_thresholds WHERE chain = {chain:String} AND rule = 'copy_trade') AS t,
  (
    SELECT groupArray((account, coin, oid, if(side = 'buy', 'long', 'short'), opened, total, total / size, counted)) FROM (
      SELECT account, coin, oid, side, counted, min((time, abs(start_position), tid, extra)) OVER heard AS opened, sum(multiplyDecimal(px, sz, 18)) OVER heard AS total, sum(sz) OVER heard AS size FROM (
        SELECT *, greatest(block_number, min(if(start_position = 0, block_number, toUInt64(-1))) OVER since) AS counted, minIf(time, start_position = 0) OVER since AS first FROM hl_account_fills
        WHERE chain = {chain:String} AND market = 'perp' AND block_number <= {to:UInt64} AND if(side = 'buy', start_position >= 0, start_position <= 0)
          AND (account, coin, oid) IN (SELECT account, coin, oid FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND market = 'perp' AND oid != 0 AND NOT (source = 'info' AND heard_at > time + INTERVAL 1 DAY) AND if(side = 'buy', start_position >= 0, start_position <= 0))
          AND time >= (SELECT min(time) FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) - INTERVAL 1 DAY
        WINDOW since AS (PARTITION BY account, coin, oid ORDER BY time)
      ) WHERE counted <= {to:UInt64} AND time < first + INTERVAL 1 DAY
      WINDOW heard AS (PARTITION BY account, coin, oid ORDER BY counted)
      QUALIFY t.3 AND round(toFloat64(total), 6) >= greatest(t.1, 0.01) ORDER BY counted LIMIT 1 BY account, coin, oid
    ) WHERE counted >= {from:UInt64}
  ) AS orders
SELECT {chain:String}, SHA256(concatWithSeparator('|', 'copy_trade', {chain:String}, lower(hex(o.1)), o.2, toString(o.3))), 'copy_trade', 'confirmed', t.2, least(100, 40 + 10 * log10(greatest(usd / greatest(t.1, 1), 1)) + 10 * log10(greatest(profit / numbers['leader_usd'], 1)) + 20 * (wins - 0.5)),
  o.2, o.4, o.1, o.7, usd, o.5.1, f.hash, o.5.3, concat('0x', lower(hex(o.1)), ' opened a ', o.4, ' of $', toString(round(usd)), ' in ', o.2, ' at ', toString(round(o.7, 8))),
  concat('gained $', toString(round(profit)), ' net of fees in ', toString(numbers['leader_days']), ' days before, ', toString(round(wins * 100, 1)), ' % of ', toString(closings), ' closing fills with a gain'), o.8, {generation:UInt32}
FROM (
  SELECT o, round(toFloat64(o.6), 6) AS usd, toFloat64(sum(a.closed_pnl) - sum(a.fee)) AS profit, countIf(a.closed_pnl != 0) AS closings, countIf(a.closed_pnl != 0 AND a.closed_pnl > a.fee) / greatest(closings, 1) AS wins
  FROM hl_account_fills AS a INNER JOIN (SELECT arrayJoin(orders) AS o, o.1 AS account) AS opening ON opening.account = a.account
  WHERE a.chain = {chain:String} AND a.account IN (SELECT arrayJoin(orders.1)) AND a.market = 'perp' AND a.block_number < o.8 AND a.time < o.5.1 AND a.time >= o.5.1 - toIntervalDay(toUInt32(numbers['leader_days']))
  GROUP BY o
  HAVING profit >= numbers['leader_usd'] AND closings >= numbers['leader_closings'] AND wins >= numbers['leader_wins']
) AS g
INNER ANY JOIN (SELECT time, coin, tid, account, extra, hash FROM hl_fills WHERE chain = {chain:String} AND time IN (SELECT arrayJoin(orders).5.1)) AS f ON f.time = g.o.5.1 AND f.coin = g.o.2 AND f.tid = g.o.5.3 AND f.account = g.o.1 AND f.extra = g.o.5.4
ORDER BY o.5.1, o.1, o.2
