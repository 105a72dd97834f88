-- What is told of one account's skill, with its newest margin and when the venue said it. Grain: one account, no row where nothing is known of its trades. Parameters: address (0x and 40 hex digits).
-- Sort keys: hl_traders (chain, account), hl_newest_accounts (chain, account, dex).
SELECT s.address AS address, toFloat64(s.trades) AS trades, s.win_rate AS win_rate, s.profit_factor AS profit_factor, round(s.realised_pnl_usd, 6) AS realised_pnl_usd, s.funding_known AS funding_known, round(s.volume_usd, 6) AS volume_usd, s.roi AS roi, s.sharpe AS sharpe, s.max_drawdown AS max_drawdown, s.style AS style,
  s.history_truncated AS history_truncated, toFloat64(s.window_days) AS window_days, s.first_trade_at AS first_trade_at, s.last_trade_at AS last_trade_at, toFloat64(s.liquidations) AS liquidations,
  (SELECT toFloat64(toString(a.account_value)) FROM hl_newest_accounts AS a FINAL WHERE a.chain = 'HL' AND a.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND a.dex = '') AS account_value_usd,
  (SELECT toFloat64(toString(a.withdrawable)) FROM hl_newest_accounts AS a FINAL WHERE a.chain = 'HL' AND a.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND a.dex = '') AS withdrawable_usd,
  (SELECT a.time FROM hl_newest_accounts AS a FINAL WHERE a.chain = 'HL' AND a.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND a.dex = '') AS account_observed_at
FROM hl_skills AS s
WHERE s.chain = 'HL' AND s.account = toFixedString(unhex(substring({address:String}, 3)), 20)
