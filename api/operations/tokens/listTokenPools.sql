-- The pools in which a token was swapped in a span, the deepest first. Depth is the pool's reserve of the token after its last swap (the virtual
-- reserve, where liquidity is concentrated); null where the protocol does not tell. Dollars by the last price of the token given; null without one.
-- The last swap is that of the highest height and place, compared as one number: to compare tuples takes eight times as long.
-- Grain: one pool, 10 at most. Parameters: chain, token (hex without 0x), first, newest (heights), usd (of a whole token; NULL).
-- Sort key: swap_legs and swaps (chain, block_number, log_index), by both heights.
WITH toFixedString(unhex({token:String}), 20) AS asset, dictGet('token_of', 'decimals', ({chain:String}, concat('0x', {token:String}))) AS decimals
SELECT concat('0x', lower(hex(l.pool))) AS pool_id, toString(any(l.protocol)) AS protocol, any(l.trusted) AS trusted, arraySort(groupUniqArray(3)(concat('0x', lower(hex(if(l.token_sold = asset, l.token_bought, l.token_sold)))))) AS others,
  dictGet('token_of', 'symbol', ({chain:String}, others[1])) AS other_symbol, argMax(if(l.token_sold = asset, l.depth_sold, l.depth_bought), bitShiftLeft(l.block_number, 32) + l.log_index) AS last_depth,
  if(last_depth = 0, NULL, toNullable(toString(last_depth))) AS depth, if(last_depth = 0, NULL, toFloat64(last_depth) / pow(10, decimals) * {usd:Nullable(Float64)}) AS depth_usd,
  toFloat64(count()) AS swaps, max(l.block_time) AS last_swap
FROM swap_legs AS l
WHERE l.chain = {chain:String} AND l.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND NOT l.aggregator AND l.token_sold_known AND l.token_bought_known AND (l.token_sold = asset OR l.token_bought = asset)
GROUP BY l.pool
ORDER BY trusted DESC, depth_usd DESC NULLS LAST, swaps DESC, pool_id
LIMIT 10
