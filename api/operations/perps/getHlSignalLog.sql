-- Signals with a side as they were given and their accounts, newest first; those under way as marked in the newest look that was told of to its end. Grain: one signal.
-- Of what is over nothing is told (unknown) where trades may be missing between its signal and its end, of the minute in which it was hit or turned: as hl_unheard has it now, whatever was worked out then.
-- Parameters: status, version, archived, limit; the position the page before ended at: before (Unix seconds), kind, coin, of (version), id.
-- Sort keys: hl_signals, hl_outcomes (chain, time, …), hl_marks (chain, known_until, id), hl_gaps. Signals given before the last run's open_since are all over; the random ones are in no log.
WITH
  (SELECT max(at) FROM (SELECT to_time AS at FROM hl_signal_runs WHERE chain = 'HL' AND told ORDER BY chain DESC, to_time DESC LIMIT 1 UNION ALL SELECT known_until FROM hl_marks WHERE chain = 'HL' ORDER BY chain DESC, known_until DESC LIMIT 1)) AS marked,
  (SELECT (max(r.to_time), argMax(r.open_since, r.to_time)) FROM hl_signal_runs AS r WHERE r.chain = 'HL' AND r.done) AS run,
  (SELECT min(time) FROM (SELECT s.time AS time FROM hl_signals AS s
    WHERE s.chain = 'HL' AND NOT s.baseline AND s.side != 'none' AND ({version:String} = 'all' OR s.version = {version:String}) AND ({status:String} != 'open' OR s.time > run.2) AND ({status:String} = 'all' OR (s.time <= run.2 OR s.id IN (SELECT o.id FROM hl_outcomes AS o WHERE o.chain = 'HL' AND o.time > run.2)) = ({status:String} = 'closed'))
      AND s.time <= toDateTime({before:UInt32}, 'UTC') AND (s.time < toDateTime({before:UInt32}, 'UTC') OR (toString(s.kind), toString(s.coin), toString(s.version), lower(hex(s.id))) > ({kind:String}, {coin:String}, {of:String}, {id:String}))
      AND ({archived:Bool} OR (s.kind, s.version) NOT IN (SELECT kind, version FROM hl_signal_rules FINAL WHERE archived))
    ORDER BY s.chain DESC, s.time DESC LIMIT {limit:UInt32})) AS since,
  picked AS (
    SELECT s.id AS id, s.version AS version, s.kind AS kind, s.coin AS coin, s.side AS side, s.time AS time, s.px AS px, s.stop AS stop, s.target AS target, s.quantity_usd AS quantity_usd, s.reconstructed AS reconstructed,
      s.time <= run.2 OR s.id IN (SELECT o.id FROM hl_outcomes AS o WHERE o.chain = 'HL' AND o.time > run.2) AS over
    FROM hl_signals AS s
    WHERE s.chain = 'HL' AND s.time >= since AND NOT s.baseline AND s.side != 'none' AND ({version:String} = 'all' OR s.version = {version:String}) AND ({status:String} != 'open' OR s.time > run.2) AND ({status:String} = 'all' OR over = ({status:String} = 'closed'))
      AND s.time <= toDateTime({before:UInt32}, 'UTC') AND (s.time < toDateTime({before:UInt32}, 'UTC') OR (toString(s.kind), toString(s.coin), toString(s.version), lower(hex(s.id))) > ({kind:String}, {coin:String}, {of:String}, {id:String}))
      AND ({archived:Bool} OR (s.kind, s.version) NOT IN (SELECT kind, version FROM hl_signal_rules FINAL WHERE archived))
    ORDER BY s.time DESC, s.kind, s.coin, s.version, s.id LIMIT {limit:UInt32}
  ),
  unheard AS (
    SELECT w.id AS id FROM (
      SELECT o.id AS id, arrayJoin(['', toString(o.coin)]) AS name, toDateTime64(o.time, 3, 'UTC') AS begins, toDateTime64(o.exit_at, 3, 'UTC') + toIntervalSecond(if(o.reason = 'horizon', 0, 60)) AS ends
      FROM hl_outcomes AS o WHERE o.chain = 'HL' AND NOT o.baseline AND o.time <= toDateTime({before:UInt32}, 'UTC') AND o.time >= since
    ) AS w
    ASOF INNER JOIN (SELECT * FROM hl_unheard(chain = 'HL', through = 18446744073709551615, since = toUnixTimestamp(since))) AS n ON n.coin = w.name AND n.from_time < w.ends WHERE n.reaches > w.begins
  )
SELECT lower(hex(p.id)) AS id, toString(p.version) AS version, toString(p.kind) AS strategy, toString(p.coin) AS coin, toString(p.side) AS side, if(p.over, 'closed', 'open') AS status, p.unknown AS unknown, toDateTime64(p.time, 3, 'UTC') AS signalled_at,
  toDateTime64(multiIf(p.unknown, NULL, p.over, p.o_entry_at, p.m_entry_at), 3, 'UTC') AS entry_at, toFloat64(toString(multiIf(p.unknown, NULL, p.over, p.o_entry_px, p.m_entry_px))) AS entry_price, if(p.side = 'long', 1, -1) AS sign, ifNull(entry_price, toFloat64(toString(p.px))) AS base, toNullable(round(base * (1 - sign * p.stop), 8)) AS stop_price, toNullable(round(base * (1 + sign * p.target), 8)) AS target_price,
  p.over AND NOT p.unknown AS accounted, if(accounted, toNullable(toDateTime64(p.exit_at, 3, 'UTC')), NULL) AS exit_at, if(accounted, toFloat64(toString(p.exit_px)), NULL) AS exit_price, multiIf(p.unknown, 'unknown', p.over, toNullable(toString(p.reason)), NULL) AS exit_reason, p.quantity_usd AS quantity_usd,
  CAST((if(accounted, p.fee_usd, NULL), if(accounted, p.slip_usd, NULL), if(accounted, p.funding_usd, NULL)), 'Tuple(fee_usd Nullable(Float64), slippage_usd Nullable(Float64), funding_usd Nullable(Float64))') AS costs, multiIf(p.unknown, NULL, p.over, p.o_pnl_usd, p.m_pnl_usd) AS pnl_usd, pnl_usd / p.quantity_usd AS pnl, CAST((if(accounted, p.mae, NULL), if(accounted, p.mfe, NULL)), 'Tuple(worst Nullable(Float64), best Nullable(Float64))') AS path,
  CAST((p.kind, p.version) IN (SELECT kind, version FROM hl_signal_rules FINAL WHERE archived), 'Bool') AS archived, p.reconstructed AS reconstructed, (toFloat64(toUnixTimestamp(p.time)), toString(p.kind), toString(p.coin), toString(p.version), lower(hex(p.id))) AS at
FROM (
  -- In a query of its own: the planner works an alias out wherever it is named.
  SELECT p.*, p.over AND p.id IN (SELECT id FROM unheard) AS unknown, o.entry_at AS o_entry_at, o.entry_px AS o_entry_px, o.pnl_usd AS o_pnl_usd, m.entry_at AS m_entry_at, m.entry_px AS m_entry_px, m.pnl_usd AS m_pnl_usd, o.exit_at AS exit_at, o.exit_px AS exit_px, o.reason AS reason,
    o.fee_usd AS fee_usd, o.slip_usd AS slip_usd, o.funding_usd AS funding_usd, o.mae AS mae, o.mfe AS mfe
  FROM picked AS p
  LEFT JOIN (SELECT * FROM hl_outcomes WHERE chain = 'HL' AND time <= toDateTime({before:UInt32}, 'UTC') AND time >= since) AS o ON o.id = p.id
  LEFT JOIN (SELECT * FROM hl_marks WHERE chain = 'HL' AND known_until = marked) AS m ON m.id = p.id
) AS p
ORDER BY p.time DESC, p.kind, p.coin, p.version, p.id
