-- How every version of every rule did before the split and after it, in basis points of a signal after all costs. Grain: one version of one rule. Parameters: none. Sort key: hl_results (chain, known_until, …).
-- held: it gained before the split, and after it too with more than the lots beside it; null: too few to tell (20 in each part). Losers stand here as winners do.
WITH (SELECT max(known_until) FROM hl_results WHERE chain = 'HL') AS settled
SELECT toString(r.kind) AS name, toString(r.version) AS version, r.archived AS archived, toDateTime64(a.split_at, 3, 'UTC') AS split_at, CAST((toFloat64(t.closed), t.mean_bps), 'Tuple(trades Float64, basis_points Nullable(Float64))') AS train,
  CAST((toFloat64(s.closed), s.mean_bps, s.low_bps, s.high_bps, b.mean_bps), 'Tuple(trades Float64, basis_points Nullable(Float64), low Nullable(Float64), high Nullable(Float64), random_entry Nullable(Float64))') AS test,
  if(t.closed < 20 OR s.closed < 20, NULL, CAST(t.mean_bps > 0 AND s.mean_bps > greatest(0, ifNull(b.mean_bps, 0)), 'Nullable(Bool)')) AS held
FROM (SELECT * FROM hl_results WHERE chain = 'HL' AND known_until = settled AND part = 'all' AND NOT baseline) AS a
INNER JOIN hl_signal_rules AS r FINAL ON r.kind = a.kind AND r.version = a.version
LEFT JOIN (SELECT * FROM hl_results WHERE chain = 'HL' AND known_until = settled AND part = 'train' AND NOT baseline) AS t ON t.kind = a.kind AND t.version = a.version
LEFT JOIN (SELECT * FROM hl_results WHERE chain = 'HL' AND known_until = settled AND part = 'test' AND NOT baseline) AS s ON s.kind = a.kind AND s.version = a.version
LEFT JOIN (SELECT * FROM hl_results WHERE chain = 'HL' AND known_until = settled AND part = 'test' AND baseline) AS b ON b.kind = a.kind AND b.version = a.version
ORDER BY s.mean_bps DESC NULLS LAST, name, version
