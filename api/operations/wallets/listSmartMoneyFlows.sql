-- Tokens that addresses of the classes fund, whale and smart gained and lost; moves among them are left out.
-- Grain: one token of one class. Parameters: chain, from, to (Unix milliseconds, from at a full hour), limit.
-- Sort key: class_segments (chain, hour, from_class, to_class, token, segment), by hour.
SELECT class, concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals,
  toFloat64(moves) AS transfers, if(absurd > 0, NULL, toNullable(toString(gained))) AS amount_in, if(absurd > 0, NULL, toNullable(toString(lost))) AS amount_out,
  usd_gained AS usd_in, usd_lost AS usd_out, usd_gained - usd_lost AS usd_net
FROM (
  SELECT if(c.to_class IN ('fund', 'whale', 'smart'), c.to_class, c.from_class) AS class, c.token AS asset, sum(c.transfers) AS moves, countIf(isNull(c.amount)) AS absurd,
    sumIf(ifNull(c.amount, 0), c.to_class IN ('fund', 'whale', 'smart')) AS gained, sumIf(ifNull(c.amount, 0), c.from_class IN ('fund', 'whale', 'smart')) AS lost,
    sumIf(c.value_usd, c.to_class IN ('fund', 'whale', 'smart')) AS usd_gained, sumIf(c.value_usd, c.from_class IN ('fund', 'whale', 'smart')) AS usd_lost
  FROM class_hours AS c
  WHERE c.chain = {chain:String} AND c.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND c.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    AND (c.from_class IN ('fund', 'whale', 'smart')) != (c.to_class IN ('fund', 'whale', 'smart'))
  GROUP BY class, asset
)
ORDER BY abs(usd_net) DESC, class, token
LIMIT {limit:UInt32}
