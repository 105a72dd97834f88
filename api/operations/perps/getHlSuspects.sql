-- Accounts under suspicion that made at least so much, and so many times what was put in, within the last hours, the most suspected first. Grain: one account.
-- Parameters: hours, min_pnl, min_return, limit. win_rate is not known below the positions that the rule of samples asks for. Accounts of which it is not known what was put in cannot be shown to have made a multiple of it, and are left out.
-- Sort keys: hl_traders (chain, account), read whole: one row an account; hl_trips (chain, account), of the suspected alone.
WITH (SELECT argMax(numbers, version) FROM hl_trader_rules WHERE rule = 'samples') AS enough, (SELECT argMax(numbers, version)['flagged'] FROM hl_trader_rules WHERE rule = 'insider') AS least_score, flagged AS (
  SELECT account, suspicion, evidence, metrics, top_coin, funded_at FROM hl_traders FINAL
  WHERE chain = 'HL' AND suspicion >= least_score AND metrics['put_in_usd'] > 0 AND NOT has(flags, 'vault')
)
SELECT concat('0x', lower(hex(k.account))) AS address, k.suspicion AS score, round(t.pnl, 6) AS pnl_usd, round(t.pnl / k.metrics['put_in_usd'], 9) AS return_multiple, toFloat64(t.ended) AS trades, if(t.ended >= enough['positions'], toNullable(t.won / t.ended), NULL) AS win_rate, toString(k.top_coin) AS top_coin, k.metrics['top_coin_share'] AS top_coin_share, k.funded_at AS funded_at,
  t.first AS first_trade_at, t.last AS last_trade_at, k.evidence AS evidence
FROM flagged AS k INNER JOIN (
  SELECT account, toFloat64(sum(net)) AS pnl, countIf(state = 'closed') AS ended, countIf(state = 'closed' AND net > 0) AS won, min(opened_at) AS first, max(last_at) AS last FROM hl_trips FINAL
  WHERE chain = 'HL' AND account IN (SELECT account FROM hl_traders FINAL WHERE chain = 'HL' AND suspicion >= least_score) AND market = 'perp' AND last_at > now64(3, 'UTC') - toIntervalHour({hours:UInt32}) GROUP BY account
) AS t ON t.account = k.account
WHERE t.pnl >= {min_pnl:Float64} AND t.pnl >= {min_return:Float64} * k.metrics['put_in_usd']
ORDER BY k.suspicion DESC, t.pnl DESC, k.account LIMIT {limit:UInt32}
