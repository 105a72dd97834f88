-- What one token cost in dollars, by spans of time, from its own trades in pools of known factories. A trade's price is its other side's
-- value then over what changed hands, as the swap was valued when it was indexed. One that was valued by this token itself says nothing of its price, unless the
-- other side is a dollar stablecoin: that counts what it is priced at in the block, $1 where no price is stored. Trades under $1 set no price, nor do those beyond a factor of 3 of the span's median
-- (weighted by dollars): they are counted as outliers. Aggregators are left out, because they repeat the swaps of pools.
-- Dollars are rounded to millionths: threads add them up in any order.
-- Grain: one span of `width` seconds with a trade; prices are null where the decimals are unknown or nothing set one.
-- Parameters: chain, token (hex without 0x), first, newest (heights), width (seconds). Sort keys: swaps (chain, block_number, log_index) and, of stablecoins off their peg, prices (chain, token, block_number), by both heights.
-- A trade's place is its height and its place in the block in one number: to sort tuples takes three times as long.
WITH
  dictGet('token_of', 'decimals', ({chain:String}, concat('0x', {token:String}))) AS decimals,
  trades AS (
    SELECT intDiv(toUnixTimestamp(s.block_time), {width:UInt32}) AS bucket, bitShiftLeft(s.block_number, 32) + s.log_index AS place, s.token_sold = toFixedString(unhex({token:String}), 20) AS sold,
      if(sold, s.amount_sold, s.amount_bought) AS amount, if(sold, s.amount_bought, s.amount_sold) AS quoted, s.value_usd AS usd, s.trader AS trader,
      dictGet('token_of', ('decimals', 'stable'), ({chain:String}, concat('0x', lower(hex(if(sold, s.token_bought, s.token_sold)))))) AS quote,
      multiIf(s.price_side = if(sold, 'bought', 'sold') AND s.value_usd IS NOT NULL, s.value_usd, quote.2 = 1, toFloat64(quoted) / pow(10, quote.1) * if(p.usd > 0, p.usd, 1), NULL) AS worth,
      if(amount > 0 AND worth >= 1, worth / (toFloat64(amount) / pow(10, decimals)), NULL) AS price
    FROM swaps AS s
    ANY LEFT JOIN (
      SELECT q.token AS token, q.block_number AS block_number, q.usd AS usd FROM prices AS q
      WHERE q.chain = {chain:String} AND q.token IN (SELECT k.address FROM tokens AS k FINAL WHERE k.chain = {chain:String} AND k.stable) AND q.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND q.usd != 1
    ) AS p ON p.token = if(s.token_sold = toFixedString(unhex({token:String}), 20), s.token_bought, s.token_sold) AND p.block_number = s.block_number
    WHERE s.chain = {chain:String} AND s.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND s.trusted AND NOT s.aggregator AND s.token_sold_known AND s.token_bought_known
      AND s.token_sold != s.token_bought AND (s.token_sold = toFixedString(unhex({token:String}), 20) OR s.token_bought = toFixedString(unhex({token:String}), 20))
  ),
  spans AS (
    SELECT bucket, quantileExactWeighted(0.5)(price, toUInt64(least(ifNull(worth, 0), 1e12) * 100)) AS median,
      arraySort(x -> x.1, groupArrayIf((place, assumeNotNull(price)), isNotNull(price))) AS prints, arrayFilter(x -> x.2 BETWEEN median / 3 AND median * 3, prints) AS kept,
      count() AS trades, if(max(amount) >= bitShiftLeft(toUInt256(1), 200), NULL, sum(amount)) AS volume, round(sum(usd), 6) AS volume_usd, uniqExact(trader) AS traders
    FROM trades GROUP BY bucket
  )
SELECT toFloat64(bucket) AS bucket, if(empty(kept), NULL, toNullable(kept[1].2)) AS open, if(empty(kept), NULL, toNullable(arrayMax(x -> x.2, kept))) AS high,
  if(empty(kept), NULL, toNullable(arrayMin(x -> x.2, kept))) AS low, if(empty(kept), NULL, toNullable(kept[-1].2)) AS close,
  toString(volume) AS volume, volume_usd, toFloat64(trades) AS trades, toFloat64(traders) AS traders, toFloat64(length(prints) - length(kept)) AS outliers
FROM spans
ORDER BY bucket
