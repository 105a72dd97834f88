-- Leaders among the scored: the best by result after gas who gained, not by one token alone. Grain: one wallet. Parameters: chain, rule,
-- rule_version, as_of, in_force_from, days, top_share, most_leaders, max_best_share. Sort key: leader_scores (chain, as_of, days, account).
INSERT INTO leaders (chain, rule, rule_version, as_of, in_force_from, days, account, rank, net_usd)
SELECT {chain:String}, {rule:String}, {rule_version:UInt16}, {as_of:UInt64}, {in_force_from:UInt64}, {days:UInt16}, account, place, net_usd
FROM (
  SELECT account, net_usd, realised_usd, best_usd, row_number() OVER (ORDER BY net_usd DESC, account) AS place, count() OVER () AS scored
  FROM leader_scores WHERE chain = {chain:String} AND as_of = {as_of:UInt64} AND days = {days:UInt16} AND rule = {rule:String} AND rule_version = {rule_version:UInt16}
)
WHERE place <= least(ceil(scored * {top_share:Float64}), {most_leaders:UInt32}) AND net_usd > 0 AND best_usd < {max_best_share:Float64} * realised_usd
ORDER BY place
