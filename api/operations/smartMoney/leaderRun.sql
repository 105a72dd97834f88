-- The newest run of leaderboards, or the one as of a height by a version of the rule, with the rule it went by. Grain: one row, none where nothing was computed.
-- Parameters: chain, as_of (0: the newest), version, days. Sort keys: leader_runs (chain, in_force_from), leader_scores (chain, as_of, days, account). Both are small.
SELECT toFloat64(r.as_of) AS as_of, r.as_of_time AS as_of_time, toFloat64(r.in_force_from) AS in_force_from, r.rule AS rule, r.rule_version AS version,
  p.min_closed AS min_closed, p.min_tokens AS min_tokens, p.min_volume_usd AS min_volume_usd, p.max_trades_per_day AS max_trades_per_day, p.max_same_block_share AS max_same_block_share,
  p.max_unknown_share AS max_unknown_share, p.max_best_share AS max_best_share, p.top_share AS top_share, p.most_leaders AS most_leaders, p.wash_churn AS wash_churn, p.wash_trips AS wash_trips,
  p.wash_min_usd AS wash_min_usd, p.wash_result_share AS wash_result_share, p.in_force_after AS in_force_after, p.excluded_classes AS excluded_classes,
  ifNull((SELECT toFloat64(count()) FROM leader_scores AS s WHERE s.chain = {chain:String} AND s.as_of = r.as_of AND s.days = {days:UInt16} AND s.rule = r.rule AND s.rule_version = r.rule_version), 0) AS scored,
  ifNull((SELECT toFloat64(count()) FROM leaders AS l WHERE l.chain = {chain:String} AND l.as_of = r.as_of AND l.in_force_from = r.in_force_from AND l.days = {days:UInt16} AND l.rule = r.rule AND l.rule_version = r.rule_version), 0) AS leaders
FROM leader_runs AS r
INNER JOIN (SELECT * FROM leader_rules FINAL) AS p ON p.rule = r.rule AND p.version = r.rule_version
WHERE r.chain = {chain:String} AND ({as_of:UInt64} = 0 OR (r.as_of = {as_of:UInt64} AND r.rule_version = {version:UInt16}))
ORDER BY r.in_force_from DESC, r.as_of DESC, r.rule_version DESC
LIMIT 1
