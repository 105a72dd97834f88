-- Accounts under suspicion that made at least so much, and so many times what was put in, within the last hours, the most suspected first. Grain: one account.
-- What was put in: within the window of judging, of longer spans within a year. Parameters: hours, min_pnl, min_return, limit. win_rate is not known below the positions that the rule of samples asks for. Accounts of which it is not known what was put in cannot be shown to have made a multiple of it, and are left out.
-- Who did not gain as much within the whole window has not in a part of it: of those no position is read, where that is known. Sort keys: hl_traders (chain, account), read whole: one row an account; hl_trips (chain, account), of those that are left.
WITH (SELECT argMax(numbers, version) FROM hl_trader_rules WHERE rule = 'samples') AS enough, (SELECT argMax(numbers, version)['flagged'] FROM hl_trader_rules WHERE rule = 'insider') AS least_score, flagged AS MATERIALIZED (
  SELECT account, suspicion, evidence, mapContains(metrics, 'funding_known') ? toNullable(metrics['funding_known']) : NULL AS funding_known, metrics['top_coin_share'] AS share, top_coin, funded_at, {hours:UInt32} > 24 * window_days AS longer, metrics[if(longer, 'put_in_year_usd', 'put_in_usd')] AS put_in
  FROM hl_traders FINAL
  WHERE chain = 'HL' AND suspicion >= least_score AND put_in > 0 AND NOT has(flags, 'vault') AND (longer OR NOT mapContains(metrics, 'gained_usd') OR metrics['gained_usd'] >= greatest({min_pnl:Float64}, {min_return:Float64} * put_in) - 0.01)
)
SELECT concat('0x', lower(hex(k.account))) AS address, k.suspicion AS score, round(t.pnl, 6) AS pnl_usd, k.funding_known AS funding_known, round(t.pnl / k.put_in, 9) AS return_multiple, toFloat64(t.ended) AS trades, if(t.ended >= enough['positions'], toNullable(t.won / t.ended), NULL) AS win_rate, toString(k.top_coin) AS top_coin, k.share AS top_coin_share, k.funded_at AS funded_at,
  t.first AS first_trade_at, t.last AS last_trade_at, k.evidence AS evidence
FROM flagged AS k INNER JOIN (
  SELECT account, toFloat64(sum(net)) AS pnl, countIf(state = 'closed') AS ended, countIf(state = 'closed' AND net > 0) AS won, min(opened_at) AS first, max(last_at) AS last FROM hl_trips FINAL
  WHERE chain = 'HL' AND account IN (SELECT account FROM flagged) AND market = 'perp' AND last_at > now64(3, 'UTC') - toIntervalHour({hours:UInt32}) GROUP BY account
) AS t ON t.account = k.account
WHERE t.pnl >= {min_pnl:Float64} AND t.pnl >= {min_return:Float64} * k.put_in
ORDER BY k.suspicion DESC, t.pnl DESC, k.account LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
