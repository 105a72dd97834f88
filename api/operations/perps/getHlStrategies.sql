-- Every version of every rule with its results as of the last run that settled anything, and what was drawn by lot beside it; losers and what was given up included. Grain: one version of one rule. Parameters: name ('': all).
-- Sort keys: hl_results (chain, known_until, …); hl_signal_rules is a handful of rows. A strategy is listed from its first signal on. open: as marked in the newest look that was told of to its end; open_pnl_usd is null where none
-- of those open could be marked. unknown: trades of their time were not heard, or a rate of funding is not known.
WITH (SELECT max(known_until) FROM hl_results WHERE chain = 'HL') AS settled,
  (SELECT max(at) FROM (SELECT to_time AS at FROM hl_signal_runs WHERE chain = 'HL' AND told ORDER BY chain DESC, to_time DESC LIMIT 1 UNION ALL SELECT known_until FROM hl_marks WHERE chain = 'HL' ORDER BY chain DESC, known_until DESC LIMIT 1)) AS run,
  (SELECT min(r.open_since) FROM hl_signal_runs AS r WHERE r.chain = 'HL' AND r.done AND r.to_time = run) AS since_open
SELECT toString(r.kind) AS name, toString(r.version) AS version, r.description AS description, r.horizon_minutes / 60 AS horizon_hours, toDateTime64(least(if(t.kind = '', o.since, t.since), if(o.kind = '', t.since, o.since)), 3, 'UTC') AS since, CAST((toFloat64(t.closed), toFloat64(t.unfilled), toFloat64(t.unknown), toFloat64(t.reconstructed), toFloat64(o.number)), 'Tuple(closed Float64, unfilled Float64, unknown Float64, reconstructed Float64, open Float64)') AS signals,
  if(t.closed > 0, toNullable(t.wins / t.closed), NULL) AS win_rate, CAST((t.mean_bps, t.low_bps, t.high_bps, b.mean_bps), 'Tuple(mean Nullable(Float64), low Nullable(Float64), high Nullable(Float64), random_entry Nullable(Float64))') AS net_basis_points, t.profit_factor AS profit_factor, t.sharpe AS sharpe,
  if(t.closed > 0, toNullable(t.drawdown_usd / r.quantity_usd), NULL) AS max_drawdown, t.pnl_usd AS pnl_usd, if(o.kind = '', 0, round(o.pnl, 6)) AS open_pnl_usd, r.archived AS archived
FROM hl_signal_rules AS r FINAL
LEFT JOIN (SELECT * FROM hl_results WHERE chain = 'HL' AND known_until = settled AND NOT baseline AND part = 'all') AS t ON t.kind = r.kind AND t.version = r.version
LEFT JOIN (SELECT * FROM hl_results WHERE chain = 'HL' AND known_until = settled AND baseline AND part = 'all') AS b ON b.kind = r.kind AND b.version = r.version
LEFT JOIN (
  SELECT m.kind AS kind, m.version AS version, count() AS number, sum(m.pnl_usd) AS pnl, min(s.time) AS since FROM hl_marks AS m INNER JOIN hl_signals AS s ON s.id = m.id
  WHERE m.chain = 'HL' AND m.known_until = run AND NOT m.baseline AND s.chain = 'HL' AND s.time > since_open GROUP BY kind, version
) AS o ON o.kind = r.kind AND o.version = r.version
WHERE r.version != '' AND ({name:String} = '' OR r.kind = {name:String}) AND (t.kind != '' OR o.kind != '')
ORDER BY r.archived, t.mean_bps DESC NULLS LAST, name, version
