-- What flowed in and out of one entity by token, its own moves left out: the 20 with the most dollars, each beside the sums of all. *_unknown: what it
-- received on Bitcoin where an input is unresolved, which may be its own change: in no other sum. listed: the coin, or a token that a list names; all_listed_*: of the sums, what is of those: of another its own pools say the price.
-- Grain: one token. Parameters: chain, entity, from, to (Unix milliseconds, from at a full hour). Sort key: entity_token_segments (chain, entity, hour, token, segment), by entity and hour.
SELECT concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals', 'listed'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals, described.3 OR asset = toFixedString('', 20) AS listed,
  toFloat64(ins) AS transfers_in, toFloat64(outs) AS transfers_out, if(absurd > 0, NULL, toNullable(toString(gained))) AS amount_in, if(absurd > 0, NULL, toNullable(toString(lost))) AS amount_out,
  usd_gained AS usd_in, usd_lost AS usd_out, toFloat64(own) AS transfers_internal, toFloat64(blanks) AS transfers_unknown, toString(unsure) AS amount_unknown, usd_unsure AS usd_unknown,
  sum(usd_gained) OVER () AS all_in, sum(usd_lost) OVER () AS all_out, sum(if(listed, usd_gained, 0)) OVER () AS all_listed_in, sum(if(listed, usd_lost, 0)) OVER () AS all_listed_out, sum(usd_unsure) OVER () AS all_unknown
FROM (
  SELECT h.token AS asset, sum(h.transfers_in) AS ins, sum(h.transfers_out) AS outs, sum(h.transfers_internal) AS own, sum(h.amount_in) AS gained, sum(h.amount_out) AS lost,
    sum(h.oversized) AS absurd, toFloat64(sum(h.usd_in)) AS usd_gained, toFloat64(sum(h.usd_out)) AS usd_lost, sum(h.transfers_unknown) AS blanks, sum(h.amount_unknown) AS unsure, toFloat64(sum(h.usd_unknown)) AS usd_unsure
  FROM entity_token_segments AS h FINAL
  WHERE h.chain = {chain:String} AND h.entity = {entity:String} AND h.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND h.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  GROUP BY asset
)
ORDER BY usd_in + usd_out DESC, token LIMIT 20
