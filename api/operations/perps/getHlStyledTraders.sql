-- Accounts that one of the four styles fits, with what it was judged by, the most realised first, in the order of the run the list was begun with. Grain: one account.
-- Parameters: limit; the run (`as_of`, the largest UInt64: the newest that is over) and the position the page before ended at: net, address ('' none). style: as of then.
-- Sort keys: hl_traders (chain, account), read whole for a few columns: one row an account; hl_standings (chain, account, version), of those judged since.
WITH
  least({as_of:UInt64}, assumeNotNull((SELECT max(run) FROM hl_trader_runs WHERE chain = 'HL'))) AS begun,
  picked AS (
    SELECT account, argMax((net_usd, style, listed), version) AS stood, stood.1 AS net, concat('0x', lower(hex(account))) AS address FROM (
      SELECT k.account AS account, k.version AS version, k.net_usd AS net_usd, if(k.style IN ('SNIPER', 'DIRECTIONAL', 'STEAMROLLER', 'HEDGER') AND NOT has(k.flags, 'history_truncated'), toString(k.style), '') AS style, NOT has(k.flags, 'vault') AS listed FROM hl_traders AS k WHERE k.chain = 'HL' AND k.version <= begun
      UNION ALL
      SELECT p.account, p.version, p.net_usd, toString(p.style), p.listed FROM hl_standings AS p WHERE p.chain = 'HL' AND p.version <= begun AND p.account IN (SELECT account FROM hl_traders WHERE chain = 'HL' AND version > begun)
    ) GROUP BY account HAVING stood.3 AND stood.2 != '' AND ({address:String} = '' OR (-net, address) > (-{net:Float64}, {address:String})) ORDER BY net DESC, account LIMIT {limit:UInt32}
  )
SELECT s.address AS address, p.stood.2 AS style, toFloat64(s.trades) AS trades, s.win_rate AS win_rate, s.payoff AS payoff, s.metrics['median_hold_seconds'] AS median_hold_seconds, s.metrics['maker_share'] AS maker_share, s.metrics['trades_per_day'] AS trades_per_day,
  if(mapContains(s.metrics, 'net_to_gross'), toNullable(s.metrics['net_to_gross']), NULL) AS net_to_gross, round(s.realised_pnl_usd, 6) AS realised_pnl_usd, s.funding_known AS funding_known, round(s.volume_usd, 6) AS volume_usd, toFloat64(s.liquidations) AS liquidations, s.reasons AS reasons, toFloat64(s.window_days) AS window_days, s.last_trade_at AS last_trade_at, (toString(begun), p.net, s.address) AS at
FROM hl_skills AS s INNER JOIN picked AS p ON p.account = s.account
WHERE s.chain = 'HL' AND s.account IN (SELECT account FROM picked)
ORDER BY p.net DESC, s.address
