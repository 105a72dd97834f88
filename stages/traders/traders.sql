-- Judges accounts by what a run measured of them: style by the first rule that fits, flags, fitness to be copied, suspicion. Grain: one account.
-- Parameters: chain, run, until (Unix milliseconds), slices, slice. A rule that needs a metric which is not known does not fit. Vaults are told by the venue's own answers: its summaries name those of the last two hours alone, and accounts that reach a list are asked about by name (stages/ingest/hyperliquid/roles.sql).
-- copy_score = 25 edge + 20 green weeks + 15 draw-down + 15 holding + 10 executable + 10 sample + 5 leverage; what is not known gives no points. 0 where a reason says so. taken: what a suspect's positions of a year came to. top_coin: that of most volume, of positions last dealt in within the window, each as a whole; '' where there is none.
-- Sort keys: hl_measured (chain, run, account), hl_insider_trades (chain, account), hl_records (chain, type), hl_trips (chain, account), hl_ledger_updates (chain, account).
INSERT INTO hl_traders (chain, account, judged_at, window_days, first_at, last_at, trips, net_usd, volume_usd, liquidations, metrics, style, rule, rule_version, reasons, flags, copy_score, copy_version, copy_reasons, suspicion, insider_version, evidence, taken, top_coin, funded_at, version)
WITH
  (known, name) -> if(mapContains(known, name), known[name], nan) AS have, (points, value) -> if(isFinite(value), points * greatest(0, least(1, value)), 0) AS worth,
  (SELECT CAST((groupArray(r.rule), groupArray(r.newest)), 'Map(String, Tuple(UInt16, Map(String, Float64)))') FROM (SELECT toString(rule) AS rule, (max(version), argMax(numbers, version)) AS newest FROM hl_trader_rules GROUP BY rule) AS r) AS rules,
  judged AS (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}),
  measured AS (SELECT h.account AS account, CAST((groupArray(toString(h.metric)), groupArray(h.value)), 'Map(String, Float64)') AS m FROM (SELECT DISTINCT account, metric, value FROM hl_measured WHERE chain = {chain:String} AND run = {run:UInt64} AND account IN (SELECT account FROM judged) AND hour = 0) AS h GROUP BY h.account),
  vaults AS (
    SELECT toFixedString(unhex('dfc24b077bc1425ad1dea75bcb6f8158e10df303'), 20) AS account UNION ALL SELECT toFixedString(unhex('2e3d94f0562703b25c83308a05046ddaf9a8dd14'), 20)
    UNION ALL SELECT toFixedString(unhex('010461c14e146ac35fe42271bdc1134ee31c703a'), 20) UNION ALL SELECT toFixedString(unhex('31ca8395cf837de08b24da3f660e77761dfb974b'), 20)
    UNION ALL SELECT toFixedString(unhex(substring(if(v.type = 'userRole', v.account, JSONExtractString(v.item, 'vaultAddress')), 3)), 20) FROM hl_records AS v
    WHERE v.chain = {chain:String} AND v.type IN ('userRole', 'vaultSummaries', 'vaultDetails') AND if(v.type = 'userRole', JSONExtractString(v.item, 'role') = 'vault', match(JSONExtractString(v.item, 'vaultAddress'), '^0x[0-9a-fA-F]{40}$'))
  ),
  suspected AS (SELECT account, max(score) AS suspicion, argMax(evidence, (score, opened_at)) AS evidence FROM hl_insider_trades FINAL WHERE chain = {chain:String} AND account IN (SELECT account FROM judged) GROUP BY account),
  takings AS (
    SELECT account, groupArray((opened_at, last_at, state = 'closed', net)) AS taken FROM hl_trips FINAL
    WHERE chain = {chain:String} AND account IN (SELECT account FROM suspected WHERE suspicion >= rules['insider'].2['flagged']) AND market = 'perp' AND last_at > fromUnixTimestamp64Milli({until:Int64}, 'UTC') - INTERVAL 1 YEAR GROUP BY account
  ),
  coins AS (SELECT account, argMax(toString(coin), (usd, coin)) AS top, max(usd) / sum(usd) AS share FROM (SELECT account, coin, sum(volume_usd) AS usd FROM hl_trips FINAL WHERE chain = {chain:String} AND account IN (SELECT account FROM judged) AND market = 'perp'
    AND last_at > fromUnixTimestamp64Milli({until:Int64}, 'UTC') - toIntervalDay(toUInt16(rules['window'].2['days'])) GROUP BY account, coin) GROUP BY account),
  funded AS (SELECT account, min(time) AS at FROM hl_ledger_updates WHERE chain = {chain:String} AND account IN (SELECT account FROM judged) AND kind = 'deposit' GROUP BY account),
  -- One step in a query of its own: the planner works an alias out wherever it is named.
  ruled AS (
    SELECT *, m['trips'] >= rules['samples'].2['positions'] AS enough,
      [('MARKET_MAKER', 'market_maker', have(m, 'maker_share') >= rules['market_maker'].2['maker_share'] AND have(m, 'net_flow_share') <= rules['market_maker'].2['net_flow_share'] AND have(m, 'fills_per_day') >= rules['market_maker'].2['fills_per_day'], ['maker_share', 'net_flow_share', 'fills_per_day']),
        ('HEDGER', 'hedger', enough AND (have(m, 'net_to_gross') <= rules['hedger'].2['net_to_gross'] OR have(m, 'funding_share') >= rules['hedger'].2['funding_share']), ['net_to_gross', 'funding_share']),
        ('SNIPER', 'sniper', enough AND have(m, 'trades_per_day') <= rules['sniper'].2['trades_per_day'] AND have(m, 'win_rate') >= rules['sniper'].2['win_rate'] AND have(m, 'payoff') >= rules['sniper'].2['payoff'] AND have(m, 'median_hold_seconds') <= rules['sniper'].2['hold_seconds']
          AND have(m, 'markout') > 0 AND have(m, 'markout_t') >= rules['sniper'].2['markout_t'], ['trades_per_day', 'win_rate', 'payoff', 'median_hold_seconds', 'markout_t']),
        ('STEAMROLLER', 'steamroller', enough AND have(m, 'win_rate') >= rules['steamroller'].2['win_rate'] AND have(m, 'payoff') <= rules['steamroller'].2['payoff'] AND (have(m, 'adds_to_losers') >= rules['steamroller'].2['adds_to_losers'] OR have(m, 'worst_loss') >= rules['steamroller'].2['worst_loss']),
          ['win_rate', 'payoff', 'adds_to_losers', 'worst_loss']),
        ('DIRECTIONAL', 'directional', enough AND have(m, 'directional_days') >= rules['directional'].2['days'], ['directional_days', 'net_to_gross']),
        ('SCALPER', 'scalper', enough AND have(m, 'median_hold_seconds') <= rules['scalper'].2['hold_seconds'] AND have(m, 'trades_per_day') >= rules['scalper'].2['trades_per_day'], ['median_hold_seconds', 'trades_per_day'])] AS candidates,
      arrayFirst(one -> one.3, candidates) AS fit
    FROM (
      SELECT d.account AS account, mapConcat(d.m, map('trades_per_day', least(d.m['trips'], d.m['trips'] / greatest(1, (d.m['last_ms'] - d.m['recent_ms']) / 86400000)), 'turnover', d.m['volume_usd'] / greatest(abs(d.m['net_usd']), 0.01)),
        if(c.share > 0, map('top_coin_share', c.share), CAST(map(), 'Map(String, Float64)')), if(d.m['capital_usd'] > 0, map('leverage', d.m['typical_usd'] / d.m['capital_usd']), CAST(map(), 'Map(String, Float64)'))) AS m, c.top AS top
      FROM measured AS d LEFT ANY JOIN coins AS c ON c.account = d.account WHERE mapContains(d.m, 'fills')
    )
  ),
  copied AS (
    SELECT *,
      arrayFilter(why -> why != '', [if(fit.1 = 'MARKET_MAKER', 'a market maker', ''), if(has(flags, 'wash'), 'volume without result', ''), if(has(flags, 'history_truncated'), 'history is truncated', ''), if(has(flags, 'vault'), 'a vault', ''), if(have(m, 'best_share') > copy['best_share'], 'one position made most of it', ''),
        if(m['trips'] < copy['positions'], 'too few positions', ''), if(NOT mapContains(m, 'edge_after_cost'), 'what following costs is not known', if(m['edge_after_cost'] <= 0, 'nothing is left after costs', ''))]) AS refused,
      [('edge', worth(25, have(m, 'edge_after_cost') / copy['full_edge'])), ('green_weeks', worth(20, have(m, 'green_weeks'))), ('drawdown', worth(15, 1 - have(m, 'max_drawdown') / 0.5)), ('holding', worth(15, (have(m, 'median_hold_seconds') - 120) / 1680)),
        ('executable', worth(10, have(m, 'executable'))), ('sample', worth(10, m['trips'] / copy['full_positions'])), ('leverage', worth(5, (20 - have(m, 'leverage')) / 15))]::Array(Tuple(String, Float64)) AS points
    FROM (
      SELECT r.*, arrayFilter(flag -> flag != '', [if(m['turnover'] >= rules['wash'].2['turnover'] AND m['trips'] >= rules['samples'].2['positions'], 'wash', ''), if(m['liquidations'] >= rules['blow_up'].2['liquidations'] OR m['crash'] > rules['blow_up'].2['crash'], 'blow_up', ''),
          if(m['truncated'] > 0, 'history_truncated', ''), if(r.account IN (SELECT account FROM vaults), 'vault', '')]) AS flags,
        rules['copy'].2 AS copy
      FROM ruled AS r
    )
  )
SELECT {chain:String}, k.account, fromUnixTimestamp64Milli({until:Int64}, 'UTC'), toUInt16(rules['window'].2['days']), fromUnixTimestamp64Milli(toInt64(k.m['first_ms']), 'UTC'), fromUnixTimestamp64Milli(toInt64(k.m['last_ms']), 'UTC'), toUInt32(k.m['trips']), k.m['net_usd'], k.m['volume_usd'], toUInt32(k.m['liquidations']), k.m,
  k.fit.1, k.fit.2, if(k.fit.2 = '', 0, rules[k.fit.2].1), if(k.fit.2 = '', [if(k.enough, 'no rule fits', 'too few positions')], arrayPushFront(arrayMap(name -> concat(name, ' ', toString(round(k.m[name], 4))), arrayFilter(name -> mapContains(k.m, name), k.fit.4)), concat(k.fit.2, ' version ', toString(rules[k.fit.2].1)))), k.flags,
  if(notEmpty(k.refused), 0, round(arraySum(k.points.2), 2)), rules['copy'].1, if(notEmpty(k.refused), k.refused, arrayMap(one -> concat(one.1, ' ', toString(round(one.2, 2))), k.points)), ifNull(s.suspicion, 0), rules['insider'].1, s.evidence, t.taken, k.top, if(f.at > toDateTime64(0, 3, 'UTC'), toNullable(f.at), NULL), {run:UInt64}
FROM copied AS k LEFT ANY JOIN suspected AS s ON s.account = k.account LEFT ANY JOIN funded AS f ON f.account = k.account LEFT ANY JOIN takings AS t ON t.account = k.account
