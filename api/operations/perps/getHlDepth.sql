-- The newest order book of each coin heard within the last hour: best prices, spread, dollars resting within bands around the middle.
-- Grain: one coin, in the order asked for. Parameters: coins. Sort key: hl_books (chain, coin, time), narrowed by when a book was heard.
-- A book from a clock ahead of ours is of when it was heard.
-- A book is said 20 levels a side, so of a side that has as many nothing is known beyond the last: a band that goes further has no dollars on it. A shorter side is whole.
-- imbalance: of the widest band known on both sides, from -1 (asks alone) to 1 (bids alone). A book with one side has no middle, so no bands.
SELECT toString(b.coin) AS coin, if(empty(b.bids), NULL, toNullable(toFloat64(toString(b.bids[1].px)))) AS best_bid, if(empty(b.asks), NULL, toNullable(toFloat64(toString(b.asks[1].px)))) AS best_ask,
  (best_bid + best_ask) / 2 AS mid, (best_ask - best_bid) / mid * 10000 AS spread_basis_points,
  if(mid IS NULL, [], arrayMap(width -> CAST((width,
    if(length(b.bids) >= 20 AND toFloat64(b.bids[-1].px) > assumeNotNull(mid) * (1 - width / 10000), NULL, round(arraySum(arrayMap(level -> if(toFloat64(level.px) >= assumeNotNull(mid) * (1 - width / 10000), toFloat64(level.px) * toFloat64(level.sz), 0), b.bids)), 6)),
    if(length(b.asks) >= 20 AND toFloat64(b.asks[-1].px) < assumeNotNull(mid) * (1 + width / 10000), NULL, round(arraySum(arrayMap(level -> if(toFloat64(level.px) <= assumeNotNull(mid) * (1 + width / 10000), toFloat64(level.px) * toFloat64(level.sz), 0), b.asks)), 6))), 'Tuple(basis_points UInt32, bid_usd Nullable(Float64), ask_usd Nullable(Float64))'), [5, 10, 25, 50, 100])) AS bands,
  arrayFilter(band -> band.bid_usd IS NOT NULL AND band.ask_usd IS NOT NULL, bands)[-1] AS widest, if(widest.bid_usd + widest.ask_usd > 0, (widest.bid_usd - widest.ask_usd) / (widest.bid_usd + widest.ask_usd), NULL) AS imbalance, b.time AS timestamp
FROM (
  SELECT k.coin AS coin, least(k.time, k.heard_at) AS time, k.bids AS bids, k.asks AS asks FROM hl_books AS k
  WHERE k.chain = 'HL' AND k.coin IN {coins:Array(String)} AND k.heard_at > now64(3, 'UTC') - INTERVAL 1 HOUR
  ORDER BY k.coin, least(k.time, k.heard_at) DESC, k.heard_at DESC LIMIT 1 BY k.coin
) AS b
ORDER BY indexOf({coins:Array(String)}, b.coin)
