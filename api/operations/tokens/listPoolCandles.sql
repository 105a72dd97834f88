-- What one token of a pool cost in another, by spans of time, from the pool's own swaps. The pair is the one asked for, else the one the pool traded most in the time asked about;
-- its quote is a stablecoin before the coin or its wrapped token before any other (of two alike, the higher address); prices are quote per base in whole tokens, without
-- those beyond a factor of 3 of the span's median, which are counted as outliers (a swap of a few smallest units has no meaningful price).
-- Dollars are rounded to millionths: threads add them up in any order.
-- Grain: one span of `width` seconds with a swap of the pair; prices are null where the decimals of one of the two are unknown.
-- Parameters: chain, pool (64 hex digits without 0x), pair (80 hex digits: both tokens, without 0x; '': the one traded most), first, newest (heights), width (seconds). Sort key: swaps (chain, block_number, log_index), by both heights.
-- A trade's place is its height and its place in the block in one number: to sort tuples takes three times as long.
WITH
  traded AS (
    SELECT block_time, block_number, log_index, token_sold, token_bought, amount_sold, amount_bought, value_usd, trader, trusted, protocol FROM swaps
    WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND pool = toFixedString(unhex({pool:String}), 32) AND token_sold_known AND token_bought_known AND token_sold != token_bought
  ),
  -- An aggregate gives a row also where nothing was traded: nobody's tokens, of which there are no spans either.
  (SELECT argMin((a, b), (-n, a, b)) FROM (SELECT least(token_sold, token_bought) AS a, greatest(token_sold, token_bought) AS b, toInt64(count()) AS n FROM traded WHERE {pair:String} = '' GROUP BY a, b)) AS most,
  if({pair:String} = '', most, (toFixedString(unhex(substring({pair:String}, 1, 40)), 20), toFixedString(unhex(substring({pair:String}, 41)), 20))) AS pair,
  arrayMap(t -> (dictGet('token_of', 'stable', ({chain:String}, concat('0x', lower(hex(t))))) * 2 + (t IN (toFixedString('', 20), toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20)))), [pair.1, pair.2]) AS ranks,
  if(ranks[1] > ranks[2], pair.2, pair.1) AS base, if(ranks[1] > ranks[2], pair.1, pair.2) AS quote,
  dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, concat('0x', lower(hex(base))))) AS of_base,
  dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, concat('0x', lower(hex(quote))))) AS of_quote,
  spans AS (
    SELECT intDiv(toUnixTimestamp(s.block_time), {width:UInt32}) AS bucket, sum(if(s.token_sold = base, s.amount_sold, s.amount_bought)) AS moved, max(greatest(s.amount_sold, s.amount_bought)) AS largest,
      arraySort(x -> x.1, groupArrayIf((bitShiftLeft(s.block_number, 32) + s.log_index, if(s.token_sold = base, toFloat64(s.amount_bought) / toFloat64(s.amount_sold), toFloat64(s.amount_sold) / toFloat64(s.amount_bought))), s.amount_sold > 0 AND s.amount_bought > 0)) AS prints,
      arrayReduce('quantileExact(0.5)', arrayMap(x -> x.2, prints)) AS median, arrayFilter(x -> x.2 BETWEEN median / 3 AND median * 3, prints) AS kept,
      count() AS trades, round(sum(s.value_usd), 6) AS volume_usd, uniqExact(s.trader) AS traders, any(s.trusted) AS trusted, any(s.protocol) AS protocol
    FROM traded AS s WHERE s.token_sold IN (base, quote) AND s.token_bought IN (base, quote)
    GROUP BY bucket
  ),
  pow(10, of_base.2) / pow(10, of_quote.2) AS scale
SELECT toFloat64(bucket) AS bucket, if(empty(kept), NULL, kept[1].2 * scale) AS open, if(empty(kept), NULL, arrayMax(x -> x.2, kept) * scale) AS high,
  if(empty(kept), NULL, arrayMin(x -> x.2, kept) * scale) AS low, if(empty(kept), NULL, kept[-1].2 * scale) AS close,
  if(largest >= bitShiftLeft(toUInt256(1), 200), NULL, toNullable(toString(moved))) AS volume, volume_usd, toFloat64(trades) AS trades, toFloat64(traders) AS traders, toFloat64(length(prints) - length(kept)) AS outliers,
  concat('0x', lower(hex(base))) AS base_token, of_base.1 AS base_symbol, of_base.2 AS base_decimals, concat('0x', lower(hex(quote))) AS quote_token, of_quote.1 AS quote_symbol, of_quote.2 AS quote_decimals, trusted, toString(protocol) AS protocol
FROM spans
ORDER BY bucket
