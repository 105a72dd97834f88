-- Pairs of tokens by what was traded in a span, below a rank. Aggregators are left out: they repeat the swaps of pools.
-- Grain: one pair, the lower address first; volume_usd is null where no swap of it has a price: it ranks as 0. Parameters: chain, first, newest, from, to (Unix milliseconds), min_usd, rank (millionths of a dollar,
-- exact in whatever order they are added; volume_listed_usd: of them, those whose price the coin or a token that a list names gave: of another its own pools say it) and after (both tokens, hex), which together are the position, limit.
-- Sort key: swaps (chain, block_number, log_index), by both heights.
SELECT concat('0x', lower(hex(a))) AS token_a, concat('0x', lower(hex(b))) AS token_b, dictGet('token_of', ('symbol', 'listed'), ({chain:String}, token_a)) AS described_a, described_a.1 AS token_a_symbol, described_a.2 OR a = toFixedString('', 20) AS token_a_listed,
  dictGet('token_of', ('symbol', 'listed'), ({chain:String}, token_b)) AS described_b, described_b.1 AS token_b_symbol, described_b.2 OR b = toFixedString('', 20) AS token_b_listed, swaps, traders, if(unpriced = swaps, NULL, usd) AS volume_usd, if(unpriced = swaps, NULL, toFloat64(if(token_a_listed, by_a, 0) + if(token_b_listed, ranked - by_a, 0)) / 1e6) AS volume_listed_usd, unpriced, trusted_share, protocols, last_price AS price_a_in_b, last_time AS last_swap, toString(ranked) AS rank, place
FROM (
  SELECT least(s.token_sold, s.token_bought) AS a, greatest(s.token_sold, s.token_bought) AS b, toFloat64(count()) AS swaps, toFloat64(uniqExact(s.trader)) AS traders,
    sum(toInt128(least(ifNull(s.value_usd, 0), 1e24) * 1e6) AS millionths) AS ranked, sumIf(millionths, (s.price_side = 'sold') = (s.token_sold < s.token_bought)) AS by_a, toFloat64(ranked) / 1e6 AS usd, concat(lower(hex(a)), lower(hex(b))) AS place, toFloat64(countIf(s.value_usd IS NULL)) AS unpriced, countIf(s.trusted) / count() AS trusted_share, arraySort(groupUniqArray(toString(s.protocol))) AS protocols,
    argMax(tuple(if(s.token_sold_decimals IS NULL OR s.token_bought_decimals IS NULL OR s.amount_sold = 0 OR s.amount_bought = 0, NULL, if(s.token_sold < s.token_bought,
      toFloat64(s.amount_bought) / pow(10, s.token_bought_decimals) / (toFloat64(s.amount_sold) / pow(10, s.token_sold_decimals)),
      toFloat64(s.amount_sold) / pow(10, s.token_sold_decimals) / (toFloat64(s.amount_bought) / pow(10, s.token_bought_decimals))))), (s.block_number, s.log_index)).1 AS last_price,
    max(s.block_time) AS last_time
  FROM swaps AS s
  WHERE s.chain = {chain:String} AND s.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND s.block_time > fromUnixTimestamp64Milli({from:Int64}) AND s.block_time <= fromUnixTimestamp64Milli({to:Int64})
    AND NOT s.aggregator AND s.token_sold_known AND s.token_bought_known AND s.token_sold != s.token_bought
  GROUP BY a, b
  HAVING usd >= {min_usd:Float64} AND (ranked < {rank:Int128} OR (ranked = {rank:Int128} AND place > {after:String}))
  ORDER BY ranked DESC, place
  LIMIT {limit:UInt32}
)
ORDER BY ranked DESC, place
