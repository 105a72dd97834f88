-- What is known of each coin within the last hour, as components from -1 (short) to 1 (long), and their mean, the strongest first. Grain: one coin, its newest time. Parameters: none. Sort key: hl_features (chain, time, coin).
-- funding: against unusual funding, whole at three standard deviations, of so many hours' rates as the signal of it asks for. open_interest: with the price of four hours, as far as open interest grew, whole at 5 %. flow, book, smart_money: as they lean; book: within the widest band, of 1 % at most, of which both sides are known. liquidations: towards a cluster, whole at 1 % of open interest.
-- Weights are equal on purpose: what is fitted to the past has to be shown out of sample first.
WITH (SELECT min(least['hours']) FROM hl_signal_rules FINAL WHERE kind = 'funding_extreme') AS usual
SELECT toString(f.coin) AS coin, arrayAvg(arrayMap(x -> assumeNotNull(x), arrayFilter(x -> x IS NOT NULL, [funding, open_interest, flow, book, smart_money, liquidations]))) AS score, multiIf(score > 0, toNullable('long'), score < 0, 'short', NULL) AS side,
  if(f.rate_z IS NULL OR f.rate_hours < usual, NULL, greatest(-1, least(1, -f.rate_z / 3))) AS funding, if(f.open_interest_change_4h > 0, sign(f.change_4h) * least(1, f.open_interest_change_4h / 0.05), if(f.open_interest_change_4h IS NULL, NULL, 0)) AS open_interest, f.flow AS flow, f.book AS book, f.smart_flow AS smart_money,
  if(f.cluster_side = 'none', NULL, sign(f.cluster_distance) * least(1, ifNull(f.cluster_share, 0) / 0.01)) AS liquidations, toFloat64(toString(f.px)) AS mark_price, toDateTime64(f.time, 3, 'UTC') AS timestamp
FROM (SELECT * FROM hl_features WHERE chain = 'HL' AND time > now('UTC') - INTERVAL 1 HOUR ORDER BY time DESC LIMIT 1 BY coin) AS f
WHERE notEmpty(arrayFilter(x -> x IS NOT NULL, [funding, open_interest, flow, book, smart_money, liquidations]))
ORDER BY abs(score) DESC, coin
