-- What each coin's context said last within the last hour, the largest open interest first, with the next rates that venues are expected to set.
-- Grain: one coin. Sort keys: hl_contexts (chain, dex, coin, time), hl_coins (chain, dex, time), hl_predicted_fundings (chain, coin, time). A list's coins are named by
-- their place in the newest list of their dex. The venue's rates are per hour.
WITH
  now64(3, 'UTC') - INTERVAL 1 HOUR AS since,
  named AS (SELECT c.dex AS dex, c.place AS place, argMax(c.coin, c.time) AS coin FROM hl_coins AS c WHERE c.chain = 'HL' AND c.time > since GROUP BY c.dex, c.place),
  latest AS (
    SELECT if(x.coin != '', x.coin, n.coin) AS name, argMax((x.time, x.mark_px, x.oracle_px, x.rate, x.open_interest, x.premium, x.prev_day_px, x.day_notional), x.time) AS said
    FROM hl_contexts AS x LEFT ANY JOIN named AS n ON n.dex = x.dex AND n.place = x.place
    WHERE x.chain = 'HL' AND x.time > since AND x.market != 'spot' AND x.rate IS NOT NULL AND x.oracle_px IS NOT NULL AND x.open_interest IS NOT NULL
    GROUP BY name HAVING name != ''
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
  CAST(e.predicted, 'Array(Tuple(venue String, rate Float64, interval_hours Nullable(Float64), next_at DateTime64(3, \'UTC\')))') AS predicted, l.said.1 AS timestamp
FROM latest AS l LEFT ANY JOIN expected AS e ON e.coin = l.name
ORDER BY open_interest_usd DESC, coin
