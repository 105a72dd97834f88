-- What a model may see of each token at the end of each hour, from the 50 tokens most traded in the last 60 days. Every figure is of that hour or before; each is
-- set against the week before it, which has 48 hours with a price at least. Hours without a price, or whose neighbours have none, have no row (or no outcome): nothing is filled in, and windows are of time, not of rows.
-- Grain: one token at one hour. Parameters: chain, version (Unix seconds of the last hour), lowest (height).
-- Sort keys: prices (chain, token, block_number); pair_segments and class_segments (chain, hour, …).
INSERT INTO prediction_features (version, chain, token, hour, place, total, price, x1, x2, x3, x4, x5, x6, up)
WITH
  toDateTime({version:UInt64}, 'UTC') AS last_hour, last_hour - INTERVAL 60 DAY AS since,
  volumes AS MATERIALIZED (
    SELECT token, hour, sum(value_usd) AS usd FROM (SELECT arrayJoin([token_a, token_b]) AS token, hour, value_usd FROM pair_hours WHERE chain = {chain:String} AND hour BETWEEN since AND last_hour) GROUP BY token, hour
  ),
  chosen AS (SELECT token FROM volumes WHERE dictGet('token_of', 'stable', ({chain:String}, concat('0x', lower(hex(token))))) = 0 GROUP BY token HAVING sum(usd) > 0 ORDER BY sum(usd) DESC, token LIMIT 50),
  closes AS (
    SELECT token, toStartOfHour(toDateTime(block_time)) AS hour, argMax(usd, block_number) AS price FROM prices
    WHERE chain = {chain:String} AND token IN (SELECT token FROM chosen) AND block_number >= {lowest:UInt64} AND block_time >= since AND block_time < last_hour + INTERVAL 1 HOUR GROUP BY token, hour
  ),
  flows AS (
    SELECT token, hour, sumIf(value_usd, to_class = 'exchange') - sumIf(value_usd, from_class = 'exchange') AS net FROM class_hours
    WHERE chain = {chain:String} AND hour BETWEEN since AND last_hour AND (from_class = 'exchange') != (to_class = 'exchange') GROUP BY token, hour
  ),
  raw AS (
    SELECT token, hour, price, lagInFrame(hour, 1) OVER w AS hour_before, lagInFrame(hour, 7) OVER w AS hour_7, leadInFrame(hour, 1) OVER w AS hour_after,
      if(lagInFrame(hour, 1) OVER w = hour - INTERVAL 1 HOUR, toNullable(log(price / lagInFrame(price, 1, price) OVER w)), NULL) AS r1, if(lagInFrame(hour, 2) OVER w = hour - INTERVAL 2 HOUR, toNullable(log(lagInFrame(price, 1, price) OVER w / lagInFrame(price, 2, price) OVER w)), NULL) AS r2,
      if(lagInFrame(hour, 6) OVER w = hour - INTERVAL 6 HOUR, toNullable(log(price / lagInFrame(price, 6, price) OVER w)), NULL) AS r3,
      log((usd + 1) / (avg(usd) OVER day + 1)) AS r4, net / (usd + 1000) AS r5, sum(net) OVER (PARTITION BY token ORDER BY toUnixTimestamp(hour) RANGE BETWEEN 18000 PRECEDING AND CURRENT ROW) / (usd + 1000) AS r6,
      leadInFrame(price, 1) OVER w AS price_after
    FROM (
      SELECT c.token AS token, c.hour AS hour, c.price AS price, ifNull(v.usd, 0) AS usd, ifNull(f.net, 0) AS net
      FROM closes AS c LEFT JOIN volumes AS v ON v.token = c.token AND v.hour = c.hour LEFT JOIN flows AS f ON f.token = c.token AND f.hour = c.hour
    )
    WINDOW w AS (PARTITION BY token ORDER BY hour ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), day AS (PARTITION BY token ORDER BY toUnixTimestamp(hour) RANGE BETWEEN 82800 PRECEDING AND CURRENT ROW)
  ),
  scaled AS (
    SELECT token, hour, price, hour_before, hour_7, hour_after, price_after, [r1, r2, r3, r4, r5, r6] AS r,
      [avg(r1) OVER week, avg(r2) OVER week, avg(r3) OVER week, avg(r4) OVER week, avg(r5) OVER week, avg(r6) OVER week] AS means,
      [stddevPop(r1) OVER week, stddevPop(r2) OVER week, stddevPop(r3) OVER week, stddevPop(r4) OVER week, stddevPop(r5) OVER week, stddevPop(r6) OVER week] AS spreads, count() OVER week AS earlier
    FROM raw WINDOW week AS (PARTITION BY token ORDER BY toUnixTimestamp(hour) RANGE BETWEEN 604800 PRECEDING AND 3600 PRECEDING)
  )
SELECT {version:UInt64}, {chain:String}, token, hour, row_number() OVER (PARTITION BY token ORDER BY hour) AS place, count() OVER (PARTITION BY token) AS total, price,
  x[1], x[2], x[3], x[4], x[5], x[6], if(hour_after = hour + INTERVAL 1 HOUR, toNullable(price_after > price), NULL)
FROM (
  SELECT token, hour, price, hour_after, price_after, arrayMap((v, m, s) -> if(s > 0, greatest(-5, least(5, ifNull((v - m) / s, 0))), 0), r, means, spreads) AS x
  FROM scaled WHERE hour_before = hour - INTERVAL 1 HOUR AND hour_7 = hour - INTERVAL 7 HOUR AND earlier >= 48
)
ORDER BY token, hour
SETTINGS enable_materialized_cte = 1
