-- What one address made of the tokens it traded, those that earned most first, and the sums over all of them beside each row, with the
-- number of tokens that are in no sum: still held without a value of today (all_unvalued), or with too many moves to be reckoned (all_unfolded).
-- A token whose balances change without transfers has no result: what was sold need not be what was bought; nor has one of which no sale is of a known cost. Of one with too many moves what is left, its cost and its sales are not known: null. Grain: one token. Parameters: chain, address (hex without 0x), upto (height), since (Unix seconds; closings after it count), first, newest
-- (heights whose newest price counts as today's; what is wash says the rule of leaders), below_usd and below_token (the last row given before), limit.
-- Sort keys: wallet_trades (chain, account, …), address_transfers (chain, address, …), prices (chain, token, block_number).
WITH (SELECT (u.wash_trips, u.wash_min_usd, u.wash_churn, u.wash_result_share) FROM leader_rules AS u FINAL WHERE u.rule = 'smart_trader' ORDER BY u.version DESC LIMIT 1) AS washing,
ledgers AS (
  SELECT l.token AS asset, concat('0x', lower(hex(l.token))) AS token_hex, arrayFilter(c -> c.2 > {since:Int64}, l.closings) AS recent,
    l.token IN (SELECT n.token FROM token_traits AS n WHERE n.chain = {chain:String} AND n.trait = 'rebasing') AS rebases, arrayFilter(c -> NOT rebases AND c.4 > 0 AND c.5 >= 0, recent) AS known,
    l.buys AS buys, l.sells AS sells, l.bought AS bought, l.sold AS sold, l.moved_in AS moved_in, l.held AS held, l.unpriced AS unpriced, l.cost_usd AS cost, l.volume_usd AS volume, l.folded AS folded,
    arraySum(known.6) AS average, arraySum(known.7) AS fifo,
    if(empty(recent), NULL, 1 - arraySum(c -> toFloat64(c.4) / toFloat64(c.3), known) / length(recent)) AS unknown,
    least(l.buys, l.sells) >= washing.1 AND l.volume_usd >= washing.2 AND 2 * toFloat64(least(l.bought, l.sold)) / toFloat64(l.bought + l.sold) >= washing.3 AND abs(arraySum(l.closings.6)) <= washing.4 * l.volume_usd AS wash
  FROM wallet_ledgers(upto = {upto:UInt64}) AS l
  WHERE l.chain = {chain:String} AND l.account = toFixedString(unhex({address:String}), 20)
)
SELECT r.token_hex AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, r.token_hex)) AS described, described.1 AS token_symbol, described.2 AS token_decimals,
  toFloat64(r.buys) AS buys, toFloat64(r.sells) AS sells, toString(r.bought) AS bought, toString(r.sold) AS sold, toString(r.moved_in) AS unpriced_in, if(r.folded, toNullable(toString(r.held)), NULL) AS held, if(r.folded, toNullable(toString(r.unpriced)), NULL) AS held_unpriced, r.volume AS volume_usd,
  r.folded AND NOT r.rebases AND (empty(r.recent) OR notEmpty(r.known)) AS told, if(told, r.average, NULL) AS realised_usd, if(told, r.fifo, NULL) AS realised_usd_fifo, if(r.folded, toNullable(toFloat64(length(r.known))), NULL) AS closed, if(r.folded, toNullable(toFloat64(arrayCount(c -> c.6 > 0, r.known))), NULL) AS wins,
  if(r.folded, toNullable(r.cost), NULL) AS cost_usd, p.now_usd AS price_usd, p.way AS price_method, if(r.held > 0 AND NOT r.rebases AND p.now_usd > 0 AND described.2 IS NOT NULL, toFloat64(r.held) / pow(10, assumeNotNull(described.2)) * p.now_usd - r.cost, NULL) AS unrealised_usd, r.unknown AS unknown_share,
  arrayFilter(f -> f != '', [if(r.rebases, 'rebasing', ''), if(f.taxed > 0, 'taxed', ''), if(r.wash, 'wash', ''), if(r.folded, '', 'too_many_moves')]) AS flags,
  r.average AS rank_usd, sum(r.average) OVER () AS all_usd, sum(r.fifo) OVER () AS all_fifo_usd, sum(unrealised_usd) OVER () AS all_unrealised_usd, toFloat64(countIf((r.held > 0 OR r.unpriced > 0) AND isNull(unrealised_usd)) OVER ()) AS all_unvalued, toFloat64(countIf(NOT r.folded) OVER ()) AS all_unfolded, toFloat64(sum(length(r.known)) OVER ()) AS all_closed, toFloat64(sum(arrayCount(c -> c.6 > 0, r.known)) OVER ()) AS all_wins,
  toFloat64(sum(length(r.recent)) OVER ()) AS all_sales, toFloat64(count() OVER ()) AS all_tokens, 1 - sum(arraySum(c -> toFloat64(c.4) / toFloat64(c.3), r.known)) OVER () / all_sales AS all_unknown
FROM ledgers AS r
LEFT JOIN (
  SELECT w.token AS asset, countIf(w.pool_amount > 0 AND if(w.side = 'buy', w.amount * 1000 < w.pool_amount * 999, w.pool_amount * 1000 < w.amount * 999)) AS taxed
  FROM wallet_trades AS w WHERE w.chain = {chain:String} AND w.account = toFixedString(unhex({address:String}), 20) GROUP BY asset
) AS f ON f.asset = r.asset
LEFT JOIN (
  SELECT q.token AS asset, argMax(toNullable(q.usd), q.block_number) AS now_usd, argMax(toNullable(toString(q.method)), q.block_number) AS way FROM prices AS q
  WHERE q.chain = {chain:String} AND q.token IN (SELECT token FROM wallet_trades WHERE chain = {chain:String} AND account = toFixedString(unhex({address:String}), 20)) AND q.block_number BETWEEN {first:UInt64} AND {newest:UInt64} GROUP BY asset
) AS p ON p.asset = r.asset
QUALIFY (rank_usd, token) < ({below_usd:Float64}, {below_token:String})
ORDER BY rank_usd DESC, token DESC
LIMIT {limit:UInt32}
