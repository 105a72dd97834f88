-- Swaps of one chain within a span, without those of aggregators, which repeat the swaps of pools, and how many of them have a price in dollars. Grain: one row.
-- Parameters: chain, first, newest (heights of the span). Sort key: swaps (chain, block_number, log_index), by both heights.
SELECT toFloat64(count()) AS swaps, toFloat64(countIf(s.value_usd IS NOT NULL)) AS priced
FROM swaps AS s
WHERE s.chain = {chain:String} AND s.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND NOT s.aggregator
