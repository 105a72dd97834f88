-- What each coin's context said last within the last hour, the largest open interest first, with the next rates that venues are expected to set.
-- Grain: one coin. Sort keys: hl_contexts (chain, dex, coin, time), hl_coins (chain, dex, time), hl_predicted_fundings (chain, coin, time). A list's coins are named by
-- their place in the newest list of their dex; those that the newest list tells to be taken down are no markets. The venue's rates are per hour. formula_rate: by the venue's formula from the mean of the premiums said since the full hour, else
-- from the newest impact prices: an eighth of premium + (interest of 0.0001 - premium, 0.0005 at most either way), 4 % at most, ten decimals.
WITH
  now64(3, 'UTC') - INTERVAL 1 HOUR AS since, toStartOfHour(now64(3, 'UTC')) AS begin,
  named AS (SELECT c.dex AS dex, c.place AS place, argMax(c.coin, c.time) AS coin FROM hl_coins AS c WHERE c.chain = 'HL' AND c.time > since GROUP BY c.dex, c.place),
  gone AS (SELECT k.coin FROM hl_coins AS k WHERE k.chain = 'HL' AND k.time > since - INTERVAL 2 HOUR GROUP BY k.dex, k.coin HAVING argMax(k.delisted, k.time)),
  latest AS (
    SELECT if(x.coin != '', x.coin, n.coin) AS name, argMax((x.time, x.mark_px, x.oracle_px, x.rate, x.open_interest, x.premium, x.prev_day_px, x.day_notional, x.impact_bid, x.impact_ask), x.time) AS said, any(x.dex) AS list,
      sumIf(assumeNotNull(x.premium), x.premium IS NOT NULL AND x.time >= begin) AS premiums, countIf(x.premium IS NOT NULL AND x.time >= begin) AS heard
    FROM hl_contexts AS x LEFT ANY JOIN named AS n ON n.dex = x.dex AND n.place = x.place
    WHERE x.chain = 'HL' AND x.time > since AND x.market != 'spot' AND x.rate IS NOT NULL AND x.oracle_px IS NOT NULL AND x.open_interest IS NOT NULL
    GROUP BY name HAVING name != '' AND name NOT IN (SELECT g.coin FROM gone AS g)
  ),
  expected AS (
    SELECT coin, groupArray((venue, rate, hours, next)) AS predicted FROM (
      SELECT p.coin AS coin, toString(p.venue) AS venue, toFloat64(toString(argMax(p.rate, p.time))) AS rate, argMax(p.interval_hours, p.time) AS hours, argMax(p.next_at, p.time) AS next FROM hl_predicted_fundings AS p
      WHERE p.chain = 'HL' AND p.time > since GROUP BY p.coin, p.venue ORDER BY venue
    ) GROUP BY coin
  )
SELECT toString(l.name) AS coin, toFloat64(toString(assumeNotNull(l.said.4))) AS funding_rate, funding_rate * 8760 AS funding_apr, toFloat64(toString(l.said.6)) AS premium, toString(assumeNotNull(l.said.5)) AS open_interest,
  round(toFloat64(assumeNotNull(l.said.5)) * mark_price, 6) AS open_interest_usd, toFloat64(toString(l.said.2)) AS mark_price, toFloat64(toString(assumeNotNull(l.said.3))) AS oracle_price, toFloat64(toString(l.said.8)) AS day_volume_usd,
  if(l.said.7 > 0, toNullable(mark_price / toFloat64(toString(l.said.7)) - 1), NULL) AS day_change,
  toDecimal256(assumeNotNull(l.said.3), 18) AS oracle, toDecimal256(ifNull(l.said.9, toDecimal128(0, 18)), 18) AS bid, toDecimal256(ifNull(l.said.10, toDecimal128(0, 18)), 18) AS ask, toDecimal256(0, 18) AS nothing,
  multiIf(l.heard > 0, toNullable(divideDecimal(toDecimal256(l.premiums, 18), toDecimal256(l.heard, 0), 18)), oracle <= 0 OR bid <= 0 OR ask <= 0, NULL,
    l.list = '', toNullable(divideDecimal(greatest(bid - oracle, nothing) - greatest(oracle - ask, nothing), greatest(oracle, toDecimal256('0.000000000000000001', 18)), 18)), toNullable(divideDecimal(bid + ask - oracle - oracle, greatest(oracle, toDecimal256('0.000000000000000001', 18)) * 2, 18))) AS mean_premium,
  if(mean_premium IS NULL, NULL, toFloat64(toString(greatest(toDecimal256('-0.04', 10), least(toDecimal256('0.04', 10), divideDecimal(mean_premium + greatest(toDecimal256('-0.0005', 18), least(toDecimal256('0.0005', 18), toDecimal256('0.0001', 18) - mean_premium)), toDecimal256(8, 0), 10)))))) AS formula_rate,
  CAST(e.predicted, 'Array(Tuple(venue String, rate Float64, interval_hours Nullable(Float64), next_at DateTime64(3, \'UTC\')))') AS predicted, l.said.1 AS timestamp
FROM latest AS l LEFT ANY JOIN expected AS e ON e.coin = l.name
ORDER BY open_interest_usd DESC, coin
