-- Accounts under suspicion that made at least so much, and so many times what was put in, within the last hours, the most suspected first. Grain: one account.
-- What was put in: within the window of judging, of longer spans within a year. Parameters: hours, min_pnl, min_return, limit. win_rate is not known below the positions that the rule of samples asks for. Accounts of which it is not known what was put in cannot be shown to have made a multiple of it, and are left out. top_coin is of positions last dealt in within the window of judging, each as a whole: null where there are none.
-- Sort key: hl_traders (chain, account), read whole: one row an account, with the positions of those under suspicion.
WITH (SELECT argMax(numbers, version) FROM hl_trader_rules WHERE rule = 'samples') AS enough, (SELECT argMax(numbers, version)['flagged'] FROM hl_trader_rules WHERE rule = 'insider') AS least_score
SELECT concat('0x', lower(hex(account))) AS address, suspicion AS score, round(pnl, 6) AS pnl_usd, if(mapContains(metrics, 'funding_known'), toNullable(metrics['funding_known']), NULL) AS funding_known, round(pnl / put_in, 9) AS return_multiple,
  toFloat64(arrayCount(t -> t.closed, within)) AS trades, if(trades >= enough['positions'], toNullable(arrayCount(t -> t.closed AND t.net > 0, within) / trades), NULL) AS win_rate, nullIf(toString(top_coin), '') AS top_coin, if(mapContains(metrics, 'top_coin_share'), toNullable(metrics['top_coin_share']), NULL) AS top_coin_share, funded_at,
  arrayMin(within.opened_at) AS first_trade_at, arrayMax(within.last_at) AS last_trade_at, evidence
FROM (
  SELECT account, suspicion, evidence, metrics, k.top_coin AS top_coin, funded_at, metrics[if({hours:UInt32} > 24 * window_days, 'put_in_year_usd', 'put_in_usd')] AS put_in,
    arrayFilter(t -> t.last_at > now64(3, 'UTC') - toIntervalHour({hours:UInt32}), taken) AS within, toFloat64(arrayReduce('sum', within.net)) AS pnl
  FROM hl_traders AS k FINAL
  WHERE chain = 'HL' AND suspicion >= least_score AND NOT has(flags, 'vault')
)
WHERE put_in > 0 AND notEmpty(within) AND pnl >= {min_pnl:Float64} AND pnl >= {min_return:Float64} * put_in
ORDER BY suspicion DESC, pnl DESC, account LIMIT {limit:UInt32}
