-- What moved between classes of addresses, by token.
-- Grain: one token between two classes. Parameters: chain, from, to (Unix milliseconds, from at a full hour), from_class, to_class ('': any), limit.
-- Sort key: class_segments (chain, hour, from_class, to_class, token, segment), by hour.
SELECT from_class, to_class, concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals,
  toFloat64(moves) AS transfers, if(absurd > 0, NULL, toNullable(toString(total))) AS amount, usd AS value_usd, toFloat64(moves - priced) AS unpriced
FROM (
  SELECT c.from_class AS from_class, c.to_class AS to_class, c.token AS asset, sum(c.transfers) AS moves, sum(ifNull(c.amount, 0)) AS total, countIf(isNull(c.amount)) AS absurd, sum(c.value_usd) AS usd, sum(c.priced_transfers) AS priced
  FROM class_hours AS c
  WHERE c.chain = {chain:String} AND c.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND c.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    AND ({from_class:String} = '' OR c.from_class = {from_class:String}) AND ({to_class:String} = '' OR c.to_class = {to_class:String})
  GROUP BY from_class, to_class, asset
  ORDER BY usd DESC, from_class, to_class, asset
  LIMIT {limit:UInt32}
)
ORDER BY value_usd DESC, from_class, to_class, token
