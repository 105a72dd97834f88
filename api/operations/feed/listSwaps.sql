-- Swaps by transaction within a span, below a sort position, newest first. It sold the token its first leg took and bought the one its last leg gave: of each as much as an aggregator tells of it (the most, where several do),
-- else what the pools' legs in that token sum up to, wrapped coin with coin, so that a trade split over pools is whole. Of a token that is not known that one leg counts; so does the largest where one tells 2^200 or more: a sum must not wrap.
-- What a token's contract sells of itself meanwhile is nobody's trade: such a leg is a hop and nothing else, where there are others. It is one before which the token's last transfer into the pool came from the token's own contract.
-- usd: what the pools' legs that sold the first token are worth, where none of them has a price those that bought the last one, and at least what the most valuable leg is; of legs with a price. What aggregators tell repeats the legs of pools: no hop, and never added to them.
-- usd is null where no leg has a price: such a transaction is listed only where min_usd is 0.
-- Grain: one transaction. Parameters: chain, first, newest (heights of the span), block and index (the position), min_usd, limit. Sort keys: swaps (chain, block_number, log_index) and transfers (chain, block_number, kind, position), by both heights.
WITH toFixedString('', 20) AS coin, toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20) AS wrapped,
  (sides -> if(arrayExists(l -> l.2, sides), arrayMax(arrayMap(l -> l.5, arrayFilter(l -> l.2, sides))), if(arrayExists(l -> l.5 >= bitShiftLeft(toUInt256(1), 200), sides), arrayMax(l -> l.5, sides), arraySum(l -> l.5, sides)))) AS whole,
  (sides -> arraySum(l -> ifNull(l.6, 0), arrayFilter(l -> NOT l.2, sides))) AS worth
SELECT concat('0x', lower(hex(g.hash))) AS tx_hash, toFloat64(g.height) AS block_number, toFloat64(g.place) AS tx_index, g.time AS timestamp, concat('0x', lower(hex(g.sender))) AS trader, toFloat64(g.legs) AS hops, g.venues AS protocols,
  if(g.first.3, concat('0x', lower(hex(g.first_token.1))), '') AS token_sold, toString(g.first_token.2) AS token_sold_symbol, toString(whole(g.sold)) AS amount_sold,
  if(g.last.3, concat('0x', lower(hex(g.last_token.1))), '') AS token_bought, toString(g.last_token.2) AS token_bought_symbol, toString(whole(g.bought)) AS amount_bought, if(isNull(g.largest), NULL, greatest(assumeNotNull(g.largest), if(worth(g.sold) > 0, worth(g.sold), worth(g.bought)))) AS usd
FROM (
  -- Of each side: (log, by an aggregator, known, token, amount, worth, the token's own).
  SELECT s.tx_hash AS hash, any(s.block_number) AS height, max(s.tx_index) AS place, any(s.block_time) AS time, any(s.trader) AS sender, countIf(NOT s.aggregator) AS legs, arraySort(groupUniqArray(toString(s.protocol))) AS venues, min(s.own) AS only_own, if(only_own, max(s.value_usd), maxIf(s.value_usd, NOT s.own)) AS largest,
    argMin((s.token_sold, s.token_sold_symbol), (s.own, s.log_index)) AS first_token, argMax((s.token_bought, s.token_bought_symbol), (NOT s.own, s.log_index)) AS last_token,
    arraySort(l -> l.1, groupArray((s.log_index, s.aggregator, s.token_sold_known, if(s.token_sold = wrapped, coin, s.token_sold), s.amount_sold, s.value_usd, s.own))) AS all_given,
    arraySort(l -> l.1, groupArray((s.log_index, s.aggregator, s.token_bought_known, if(s.token_bought = wrapped, coin, s.token_bought), s.amount_bought, s.value_usd, s.own))) AS all_received,
    arrayFilter(l -> only_own OR NOT l.7, all_given) AS given, arrayFilter(l -> only_own OR NOT l.7, all_received) AS received,
    given[1] AS first, received[-1] AS last, arrayFilter(l -> l.1 = first.1 OR (l.3 AND first.3 AND l.4 = first.4), given) AS sold, arrayFilter(l -> l.1 = last.1 OR (l.3 AND last.3 AND l.4 = last.4), received) AS bought
  FROM (
    SELECT w.*, p.payer = w.token_sold AND w.token_sold != coin AS own
    FROM swaps AS w
    ASOF LEFT JOIN (
      SELECT t.block_number AS paid_block, t.tx_index AS paid_tx, t.to_address AS venue, t.token AS paid, t.position AS place, t.from_address AS payer
      FROM transfers AS t
      WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND least({newest:UInt64}, {block:UInt64}) AND t.kind = 'erc20' AND (t.block_number, t.tx_index) IN (
        SELECT o.block_number, o.tx_index FROM transfers AS o WHERE o.chain = {chain:String} AND o.block_number BETWEEN {first:UInt64} AND least({newest:UInt64}, {block:UInt64}) AND o.kind = 'erc20' AND o.from_address = o.token)
    ) AS p ON p.paid_block = w.block_number AND p.paid_tx = w.tx_index AND p.venue = toFixedString(substring(w.pool, 13), 20) AND p.paid = w.token_sold AND p.place < w.log_index
    WHERE w.chain = {chain:String} AND w.block_number BETWEEN {first:UInt64} AND least({newest:UInt64}, {block:UInt64}) AND (w.block_number, w.tx_index) < ({block:UInt64}, {index:UInt32})
  ) AS s
  GROUP BY s.tx_hash
) AS g
WHERE usd >= {min_usd:Float64} OR {min_usd:Float64} = 0
ORDER BY block_number DESC, tx_index DESC
LIMIT {limit:UInt32}
