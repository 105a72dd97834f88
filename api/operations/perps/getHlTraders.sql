-- Accounts by what they realised over the window they were judged by, the most first. Grain: one account. Parameters: min_trades, limit.
-- Sort key: hl_traders (chain, account), read whole for three columns: one row an account. Vaults are not traders.
SELECT toFloat64(row_number() OVER (ORDER BY s.realised_pnl_usd DESC, s.address)) AS rank, s.address AS address, toFloat64(s.trades) AS trades, s.win_rate AS win_rate, s.profit_factor AS profit_factor, round(s.realised_pnl_usd, 6) AS realised_pnl_usd, round(s.volume_usd, 6) AS volume_usd, s.roi AS roi,
  s.sharpe AS sharpe, s.max_drawdown AS max_drawdown, s.style AS style, s.history_truncated AS history_truncated, s.first_trade_at AS first_trade_at, s.last_trade_at AS last_trade_at
FROM hl_skills AS s
WHERE s.chain = 'HL' AND s.account IN (
  SELECT account FROM hl_traders FINAL WHERE chain = 'HL' AND trips >= {min_trades:UInt32} AND NOT has(flags, 'vault') ORDER BY net_usd DESC, account LIMIT {limit:UInt32})
ORDER BY s.realised_pnl_usd DESC, s.address
