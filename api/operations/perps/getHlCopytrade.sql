-- Accounts fit to be copied, the fittest first. Grain: one account. Parameters: limit. Sort key: hl_traders (chain, account), read whole: one row an account.
SELECT s.address AS address, k.copy_score AS score, s.style AS style, toFloat64(s.trades) AS trades, s.win_rate AS win_rate, if(mapContains(s.metrics, 'edge_after_cost'), toNullable(s.metrics['edge_after_cost']), NULL) AS edge_after_cost, s.max_drawdown AS max_drawdown, s.metrics['median_hold_seconds'] AS median_hold_seconds,
  if(mapContains(s.metrics, 'leverage'), toNullable(s.metrics['leverage']), NULL) AS leverage, round(s.realised_pnl_usd, 6) AS realised_pnl_usd, arrayPushFront(k.copy_reasons, concat('copy version ', toString(k.copy_version))) AS reasons, s.judged_at AS judged_at
FROM hl_skills AS s INNER JOIN (SELECT account, copy_score, copy_version, copy_reasons FROM hl_traders FINAL WHERE chain = 'HL' AND copy_score > 0 ORDER BY copy_score DESC, account LIMIT {limit:UInt32}) AS k ON k.account = s.account
WHERE s.chain = 'HL' AND s.account IN (SELECT account FROM hl_traders FINAL WHERE chain = 'HL' AND copy_score > 0 ORDER BY copy_score DESC, account LIMIT {limit:UInt32})
ORDER BY k.copy_score DESC, s.account
