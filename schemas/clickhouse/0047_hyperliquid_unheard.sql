-- What traders' numbers stand on. funding_known: the share of the payments due while positions were open that were heard; what was not heard is in no profit. null: none was due.
DROP VIEW IF EXISTS hl_skills;
CREATE VIEW IF NOT EXISTS hl_skills AS
SELECT chain, account, concat('0x', lower(hex(account))) AS address, trips AS trades, toBool(has(flags, 'history_truncated')) AS history_truncated, mapFilter((name, value) -> NOT history_truncated, metrics) AS skill,
  if(mapContains(skill, 'win_rate'), toNullable(skill['win_rate']), NULL) AS win_rate, if(mapContains(skill, 'profit_factor'), toNullable(skill['profit_factor']), NULL) AS profit_factor, if(mapContains(skill, 'payoff'), toNullable(skill['payoff']), NULL) AS payoff,
  if(mapContains(skill, 'roi'), toNullable(skill['roi']), NULL) AS roi, if(mapContains(skill, 'sharpe'), toNullable(skill['sharpe']), NULL) AS sharpe, if(mapContains(skill, 'max_drawdown'), toNullable(skill['max_drawdown']), NULL) AS max_drawdown,
  if(mapContains(metrics, 'funding_known'), toNullable(metrics['funding_known']), NULL) AS funding_known,
  net_usd AS realised_pnl_usd, volume_usd, if(style IN ('SNIPER', 'DIRECTIONAL', 'STEAMROLLER', 'HEDGER') AND NOT history_truncated, toNullable(toString(style)), NULL) AS style, first_at AS first_trade_at, last_at AS last_trade_at, liquidations, metrics, reasons, flags, window_days, judged_at
FROM hl_traders FINAL;

-- Gaps that stand: what was asked for since and filled is none. What is asked about one coin or account is over for that one. Grain: one stretch of a channel. Narrow it by chain and time.
DROP VIEW IF EXISTS hl_standing_gaps;
CREATE VIEW IF NOT EXISTS hl_standing_gaps AS
SELECT g.* FROM hl_gaps AS g
WHERE g.state != 'over' AND (g.state = '' OR (g.chain, g.channel, g.coin, g.from_time, g.to_time) NOT IN (SELECT o.chain, o.channel, o.coin, o.from_time, o.to_time FROM hl_gaps AS o WHERE o.state = 'over'));

-- taken: of accounts under suspicion the positions of a year, with what each came to: what they made within any time is asked for without reading positions again. Of who is judged already it is taken now.
ALTER TABLE hl_traders ADD COLUMN IF NOT EXISTS taken Array(Tuple(opened_at DateTime64(3, 'UTC'), last_at DateTime64(3, 'UTC'), closed Bool, net Decimal(38, 18))) AFTER evidence;
INSERT INTO hl_traders
SELECT k.* REPLACE (t.taken AS taken) FROM (SELECT * FROM hl_traders FINAL WHERE suspicion > 0 AND empty(taken)) AS k INNER JOIN (
  SELECT chain, account, groupArray((opened_at, last_at, state = 'closed', net)) AS taken FROM hl_trips FINAL
  WHERE account IN (SELECT account FROM hl_traders WHERE suspicion > 0) AND market = 'perp' AND last_at > (SELECT max(judged_at) FROM hl_traders) - INTERVAL 1 YEAR GROUP BY chain, account
) AS t ON t.chain = k.chain AND t.account = k.account;
