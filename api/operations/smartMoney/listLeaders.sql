-- Scored wallets of a run over some days, the best or the worst first, below a place. Grain: one wallet.
-- Parameters: chain, days, rule, version, as_of and in_force_from (of the run), worst, only (leaders alone), below (the last place given before, 0: none), limit.
-- Sort key: leader_scores (chain, as_of, days, account), leaders (chain, in_force_from, account, days).
SELECT toFloat64(s.place) AS place, toFloat64(s.scored) AS scored, concat('0x', lower(hex(s.account))) AS address, dictGet('label_of', 'label', ({chain:String}, address)) AS label, s.leads AS leader,
  s.net_usd AS net_usd, s.realised_usd AS realised_usd, s.fifo_usd AS realised_usd_fifo, s.gas_usd AS gas_usd, s.gas_unpriced AS gas_unpriced, s.volume_usd AS volume_usd, s.trades AS trades, s.closed AS closed, s.wins AS wins, s.tokens AS tokens,
  concat('0x', lower(hex(s.best_token))) AS best_token, s.best_usd AS best_token_usd, s.unknown_share AS unknown_share, s.hold_hours AS hold_hours
FROM (
  SELECT *, row_number() OVER (ORDER BY if({worst:Bool}, l.net_usd, -l.net_usd), l.account) AS place, count() OVER () AS scored,
    l.account IN (SELECT n.account FROM leaders AS n WHERE n.chain = {chain:String} AND n.in_force_from = {in_force_from:UInt64} AND n.as_of = {as_of:UInt64} AND n.rule = {rule:String} AND n.rule_version = {version:UInt16} AND n.days = {days:UInt16}) AS leads
  FROM leader_scores AS l WHERE l.chain = {chain:String} AND l.as_of = {as_of:UInt64} AND l.days = {days:UInt16} AND l.rule = {rule:String} AND l.rule_version = {version:UInt16}
) AS s
WHERE s.place > {below:UInt64} AND (s.leads OR NOT {only:Bool})
ORDER BY s.place
LIMIT {limit:UInt32}
