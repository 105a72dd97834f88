-- What was traded between two tokens. Aggregators are left out: they repeat the swaps of pools.
-- Grain: one pair (lower address first) on one protocol in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the
-- segments from the lowest on, read before this: segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Amounts from 2^200 on are not summed, and their swaps counted (oversized): a pool may emit any amount, and a sum must not wrap.
-- Rows leave in no order: the table sorts them. Sort key of swaps: (chain, block_number, …).
INSERT INTO pair_segments (chain, hour, segment, token_a, token_b, protocol, swaps, amount_a, amount_b, oversized, value_usd, priced_swaps, traders, version)
SELECT {chain:String}, toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment,
  least(token_sold, token_bought) AS token_a, greatest(token_sold, token_bought) AS token_b, protocol, count(),
  sumIf(if(token_sold < token_bought, amount_sold, amount_bought), sane), sumIf(if(token_sold < token_bought, amount_bought, amount_sold), sane), countIf(NOT sane),
  sum(usd), countIf(priced), uniqCombined64State(trader),
  {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT block_time, block_number, token_sold, token_bought, protocol, amount_sold, amount_bought, trader,
    greatest(amount_sold, amount_bought) < bitShiftLeft(toUInt256(1), 200) AS sane,
    toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd, value_usd IS NOT NULL AS priced
  FROM swaps
  WHERE chain = {chain:String} AND block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
    AND block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64}
    AND NOT aggregator AND token_sold_known AND token_bought_known AND token_sold != token_bought
)
GROUP BY hour, segment, token_a, token_b, protocol
