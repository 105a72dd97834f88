-- Tokens by what was traded of them in a span, below a rank, beside the span of equal length before it, with the last 24 hours one by one.
-- Where it was traded before and no swap of then has a price, what was traded is not known: null. A swap counts for both of its tokens; aggregators are left out, because they repeat the swaps of pools. Of an hour without an indexed block, or with swaps of which none has a price, nothing is known: null.
-- listed: the coin, or a token that a list names; volume_listed_usd: of the swaps whose price the coin or such a token gave, of which token_of, in memory, is asked once for each swap of the span: of another its own pools say it.
-- Grain: one token. Parameters: chain, oldest (lowest height of all of it), newest, before, from, to (Unix milliseconds), rank (millionths of a
-- dollar, exact in whatever order they are added) and after (hex without 0x), which together are the position, limit.
-- Traders are counted as numbers of 256 bits, which a set of them is much faster with than with the same bytes as strings.
-- Sort keys: swaps (chain, block_number, log_index) and blocks (chain, block_number) by both heights.
WITH (
  SELECT groupUniqArray(toUInt8(23 - intDiv({to:Int64} - toUnixTimestamp64Milli(b.block_time), 3600000))) FROM blocks AS b
  WHERE b.chain = {chain:String} AND b.block_number BETWEEN {oldest:UInt64} AND {newest:UInt64} AND {to:Int64} - toUnixTimestamp64Milli(b.block_time) BETWEEN 0 AND 86399999
) AS indexed
SELECT concat('0x', lower(hex(t.asset))) AS token, dictGet('token_of', ('symbol', 'listed'), ({chain:String}, token)) AS described, described.1 AS symbol, described.2 OR t.asset = toFixedString('', 20) AS listed, t.usd AS volume_usd, t.usd_sure AS volume_listed_usd, if(t.blank_before, NULL, toNullable(t.usd_before)) AS previous_volume_usd,
  if(t.usd_before > 0, toNullable((t.usd - t.usd_before) / t.usd_before * 100), NULL) AS change_percent,
  multiIf(t.blank_before, 'unknown', t.usd_before = 0, 'new', t.usd > t.usd_before * 1.05, 'up', t.usd < t.usd_before * 0.95, 'down', 'flat') AS trend,
  toFloat64(t.swaps) AS swaps, toFloat64(t.traders) AS traders, t.hours AS sparkline, toString(t.ranked) AS rank
FROM (
  SELECT asset, sumIf(value, is_now) AS usd, sumIf(toInt128(least(value, 1e24) * 1e6), is_now) AS ranked, sumIf(value, sure) AS usd_sure, sumIf(value, is_before) AS usd_before, countIf(is_before) > 0 AND countIf(is_before AND priced) = 0 AS blank_before, countIf(is_now) AS swaps, uniqExactIf(reinterpretAsUInt256(trader), is_now) AS traders,
    arrayMap(i -> if(has(indexed, i) AND (in_hour[i + 1] = 0 OR known_hour[i + 1] > 0), toNullable(by_hour[i + 1]), NULL), range(24)) AS hours,
    sumResample(0, 24, 1)(value, slot) AS by_hour, countResample(0, 24, 1)(value, slot) AS in_hour, sumResample(0, 24, 1)(toUInt64(priced), slot) AS known_hour
  FROM (
    SELECT arrayJoin([s.token_sold, s.token_bought]) AS asset, s.trader AS trader, s.sure AS sure, ifNull(s.value_usd, 0) AS value, s.value_usd IS NOT NULL AS priced, toUnixTimestamp64Milli(s.block_time) AS at,
      at > {from:Int64} AS is_now, at > {before:Int64} AND at <= {from:Int64} AS is_before, toUInt8(if({to:Int64} - at < 86400000, 23 - intDiv({to:Int64} - at, 3600000), 24)) AS slot
    FROM (
      SELECT w.*, if(w.price_side = 'sold', w.token_sold, w.token_bought) AS pricing, toUnixTimestamp64Milli(w.block_time) > {from:Int64} AND (pricing = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(pricing)))))) AS sure
      FROM swaps AS w
      WHERE w.chain = {chain:String} AND w.block_number BETWEEN {oldest:UInt64} AND {newest:UInt64} AND NOT w.aggregator AND w.token_sold_known AND w.token_bought_known AND w.token_sold != w.token_bought
    ) AS s
  )
  GROUP BY asset
  HAVING usd > 0 AND (ranked < {rank:Int128} OR (ranked = {rank:Int128} AND asset > toFixedString(unhex({after:String}), 20)))
  ORDER BY ranked DESC, asset
  LIMIT {limit:UInt32}
) AS t
ORDER BY t.ranked DESC, t.asset
