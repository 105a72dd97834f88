-- Accounts that one of the four styles fits, with what it was judged by, the most realised first. Grain: one account. Parameters: limit.
-- Sort key: hl_traders (chain, account), read whole: one row an account.
SELECT s.address AS address, s.style AS style, toFloat64(s.trades) AS trades, s.win_rate AS win_rate, s.payoff AS payoff, s.metrics['median_hold_seconds'] AS median_hold_seconds, s.metrics['maker_share'] AS maker_share, s.metrics['trades_per_day'] AS trades_per_day,
  if(mapContains(s.metrics, 'net_to_gross'), toNullable(s.metrics['net_to_gross']), NULL) AS net_to_gross, round(s.realised_pnl_usd, 6) AS realised_pnl_usd, round(s.volume_usd, 6) AS volume_usd, toFloat64(s.liquidations) AS liquidations, s.reasons AS reasons, toFloat64(s.window_days) AS window_days, s.last_trade_at AS last_trade_at
FROM hl_skills AS s
WHERE s.chain = 'HL' AND s.style IS NOT NULL AND NOT has(s.flags, 'vault')
ORDER BY s.realised_pnl_usd DESC, s.address LIMIT {limit:UInt32}
