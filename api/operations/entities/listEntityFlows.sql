-- What flowed in and out of one entity by token, its own moves left out: the 20 with the most dollars, each beside the sums of all.
-- Grain: one token. Parameters: chain, entity, from, to (Unix milliseconds, from at a full hour). Sort key: entity_segments (chain, hour, entity, token, segment), by hour.
SELECT concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals,
  toFloat64(ins) AS transfers_in, toFloat64(outs) AS transfers_out, if(absurd > 0, NULL, toNullable(toString(gained))) AS amount_in, if(absurd > 0, NULL, toNullable(toString(lost))) AS amount_out,
  usd_gained AS usd_in, usd_lost AS usd_out, toFloat64(own) AS transfers_internal, sum(usd_gained) OVER () AS all_in, sum(usd_lost) OVER () AS all_out
FROM (
  SELECT h.token AS asset, sum(h.transfers_in) AS ins, sum(h.transfers_out) AS outs, sum(h.transfers_internal) AS own, sum(ifNull(h.amount_in, 0)) AS gained, sum(ifNull(h.amount_out, 0)) AS lost,
    countIf(isNull(h.amount_in)) AS absurd, sum(h.usd_in) AS usd_gained, sum(h.usd_out) AS usd_lost
  FROM entity_hours AS h
  WHERE h.chain = {chain:String} AND h.entity = {entity:String} AND h.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND h.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  GROUP BY asset
)
ORDER BY usd_in + usd_out DESC, token LIMIT 20
