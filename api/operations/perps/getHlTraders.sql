-- Accounts by what they realised over the window they were judged by, the most first, in the order of the run the list was begun with. Grain: one account.
-- Parameters: min_trades, limit; the run (`as_of`, the largest UInt64: the newest that is over) and the position the page before ended at: net, address ('' none), rank.
-- Sort keys: hl_traders (chain, account), read whole for a few columns: one row an account; hl_standings (chain, account, version), of those judged since. Vaults are not traders.
WITH
  least({as_of:UInt64}, assumeNotNull((SELECT max(run) FROM hl_trader_runs WHERE chain = 'HL'))) AS begun,
  picked AS (
    SELECT account, argMax((net_usd, trips, listed), version) AS stood, stood.1 AS net, concat('0x', lower(hex(account))) AS address FROM (
      SELECT k.account AS account, k.version AS version, k.net_usd AS net_usd, k.trips AS trips, NOT has(k.flags, 'vault') AS listed FROM hl_traders AS k WHERE k.chain = 'HL' AND k.version <= begun
      UNION ALL
      SELECT p.account, p.version, p.net_usd, p.trips, p.listed FROM hl_standings AS p WHERE p.chain = 'HL' AND p.version <= begun AND p.account IN (SELECT account FROM hl_traders WHERE chain = 'HL' AND version > begun)
    ) GROUP BY account HAVING stood.3 AND stood.2 >= {min_trades:UInt64} AND ({address:String} = '' OR (-net, address) > (-{net:Float64}, {address:String})) ORDER BY net DESC, account LIMIT {limit:UInt32}
  )
SELECT toFloat64({rank:UInt32} + row_number() OVER (ORDER BY p.net DESC, s.address)) AS rank, s.address AS address, toFloat64(s.trades) AS trades, s.win_rate AS win_rate, s.profit_factor AS profit_factor, round(s.realised_pnl_usd, 6) AS realised_pnl_usd, s.funding_known AS funding_known, round(s.volume_usd, 6) AS volume_usd, s.roi AS roi,
  s.sharpe AS sharpe, s.max_drawdown AS max_drawdown, s.style AS style, s.history_truncated AS history_truncated, toFloat64(s.window_days) AS window_days, s.first_trade_at AS first_trade_at, s.last_trade_at AS last_trade_at, (toString(begun), p.net, s.address) AS at
FROM hl_skills AS s INNER JOIN picked AS p ON p.account = s.account
WHERE s.chain = 'HL' AND s.account IN (SELECT account FROM picked)
ORDER BY p.net DESC, s.address
