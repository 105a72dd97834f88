-- Tokens that addresses of the classes fund, whale and smart gained and lost; moves among them are left out. smart is also what leaders of the
-- newest leaderboards bought and sold, whatever else they moved. Grain: one token of one class.
-- Parameters: chain, from, to (Unix milliseconds, from at a full hour), first, newest (the blocks of that time), limit.
-- Sort keys: class_segments (chain, hour, from_class, to_class, token, segment), by hour; wallet_trades (chain, account, …), by the leaders.
SELECT class, concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals,
  toFloat64(moves) AS transfers, if(absurd > 0, NULL, toNullable(toString(gained))) AS amount_in, if(absurd > 0, NULL, toNullable(toString(lost))) AS amount_out,
  usd_gained AS usd_in, usd_lost AS usd_out, usd_gained - usd_lost AS usd_net
FROM (
  SELECT class, asset, sum(moves) AS moves, sum(absurd) AS absurd, sum(gained) AS gained, sum(lost) AS lost, sum(usd_gained) AS usd_gained, sum(usd_lost) AS usd_lost FROM (
  SELECT if(c.to_class IN ('fund', 'whale', 'smart'), c.to_class, c.from_class) AS class, c.token AS asset, sum(c.transfers) AS moves, countIf(isNull(c.amount)) AS absurd,
    sumIf(ifNull(c.amount, 0), c.to_class IN ('fund', 'whale', 'smart')) AS gained, sumIf(ifNull(c.amount, 0), c.from_class IN ('fund', 'whale', 'smart')) AS lost,
    sumIf(c.value_usd, c.to_class IN ('fund', 'whale', 'smart')) AS usd_gained, sumIf(c.value_usd, c.from_class IN ('fund', 'whale', 'smart')) AS usd_lost
  FROM class_hours AS c
  WHERE c.chain = {chain:String} AND c.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND c.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    AND (c.from_class IN ('fund', 'whale', 'smart')) != (c.to_class IN ('fund', 'whale', 'smart'))
  GROUP BY class, asset
  UNION ALL
  SELECT 'smart', w.token AS asset, count(), toUInt64(0), sumIf(w.amount, w.side = 'buy'), sumIf(w.amount, w.side = 'sell'), sumIf(ifNull(w.usd, 0), w.side = 'buy'), sumIf(ifNull(w.usd, 0), w.side = 'sell')
  FROM wallet_trades AS w
  WHERE w.chain = {chain:String} AND w.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND w.account IN (
    SELECT l.account FROM leaders AS l WHERE l.chain = {chain:String} AND l.in_force_from = (SELECT max(r.in_force_from) FROM leader_runs AS r WHERE r.chain = {chain:String})
  )
  GROUP BY asset
  ) GROUP BY class, asset
)
ORDER BY abs(usd_net) DESC, class, token
LIMIT {limit:UInt32}
