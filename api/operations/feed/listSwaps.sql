-- Swaps by transaction within a span, below a sort position, newest first. A transaction is worth its most valuable leg;
-- it sold what its first leg took and bought what its last leg gave. What aggregators tell repeats the legs of pools and is no hop.
-- usd is null where no leg has a price: such a transaction is listed only where min_usd is 0.
-- Grain: one transaction. Parameters: chain, first, newest (heights of the span), block and index (the position), min_usd, limit. Sort key: swaps (chain, block_number, log_index), by both heights.
SELECT concat('0x', lower(hex(s.tx_hash))) AS tx_hash, toFloat64(any(s.block_number)) AS block_number, toFloat64(max(s.tx_index)) AS tx_index, any(s.block_time) AS timestamp, concat('0x', lower(hex(any(s.trader)))) AS trader,
  toFloat64(countIf(NOT s.aggregator)) AS hops, arraySort(groupUniqArray(toString(s.protocol))) AS protocols,
  argMin(if(s.token_sold_known, concat('0x', lower(hex(s.token_sold))), ''), s.log_index) AS token_sold, argMin(toString(s.token_sold_symbol), s.log_index) AS token_sold_symbol,
  argMin(toString(s.amount_sold), s.log_index) AS amount_sold, argMax(if(s.token_bought_known, concat('0x', lower(hex(s.token_bought))), ''), s.log_index) AS token_bought,
  argMax(toString(s.token_bought_symbol), s.log_index) AS token_bought_symbol, argMax(toString(s.amount_bought), s.log_index) AS amount_bought, max(s.value_usd) AS usd
FROM swaps AS s
WHERE s.chain = {chain:String} AND s.block_number BETWEEN {first:UInt64} AND least({newest:UInt64}, {block:UInt64}) AND (s.block_number, s.tx_index) < ({block:UInt64}, {index:UInt32})
GROUP BY s.tx_hash
HAVING usd >= {min_usd:Float64} OR {min_usd:Float64} = 0
ORDER BY block_number DESC, tx_index DESC
LIMIT {limit:UInt32}
