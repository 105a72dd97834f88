-- The newest order book of each coin heard within the last hour: best prices, spread, dollars resting within bands around the middle.
-- Grain: one coin, in the order asked for. Parameters: coins. Sort key: hl_books (chain, coin, time), narrowed by when a book was heard.
-- imbalance: of the widest band, from -1 (asks alone) to 1 (bids alone). A book with one side has no middle, so no bands.
SELECT toString(b.coin) AS coin, if(empty(b.bids), NULL, toNullable(toFloat64(toString(b.bids[1].px)))) AS best_bid, if(empty(b.asks), NULL, toNullable(toFloat64(toString(b.asks[1].px)))) AS best_ask,
  (best_bid + best_ask) / 2 AS mid, (best_ask - best_bid) / mid * 10000 AS spread_basis_points,
  if(mid IS NULL, [], arrayMap(width -> CAST((width,
    round(arraySum(arrayMap(level -> if(toFloat64(level.px) >= assumeNotNull(mid) * (1 - width / 10000), toFloat64(level.px) * toFloat64(level.sz), 0), b.bids)), 6),
    round(arraySum(arrayMap(level -> if(toFloat64(level.px) <= assumeNotNull(mid) * (1 + width / 10000), toFloat64(level.px) * toFloat64(level.sz), 0), b.asks)), 6)), 'Tuple(basis_points UInt32, bid_usd Float64, ask_usd Float64)'), [5, 10, 25, 50, 100])) AS bands,
  if(bands[-1].bid_usd + bands[-1].ask_usd > 0, toNullable((bands[-1].bid_usd - bands[-1].ask_usd) / (bands[-1].bid_usd + bands[-1].ask_usd)), NULL) AS imbalance, b.time AS timestamp
FROM (
  SELECT k.coin AS coin, k.time AS time, k.bids AS bids, k.asks AS asks FROM hl_books AS k
  WHERE k.chain = 'HL' AND k.coin IN {coins:Array(String)} AND k.heard_at > now64(3, 'UTC') - INTERVAL 1 HOUR
  ORDER BY k.coin, k.time DESC, k.heard_at DESC LIMIT 1 BY k.coin
) AS b
ORDER BY indexOf({coins:Array(String)}, b.coin)
