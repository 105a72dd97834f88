-- What is known of each perp every five minutes, of bars that were over by then and nothing else. Grain: one coin at one time, where it has a price.
-- Parameters: chain, from_time, to_time (Unix seconds), through. Sort keys: hl_bars (chain, coin, start), hl_funding_rates (chain, coin, time), hl_liquidation_levels (chain, time, …).
-- A change is against the last price between one and two hours (four and five) before. rate_z: against the hours before this one, of 30 days. vpin, on the hour: the day's volume in 50 equal
-- buckets, each minute split over those it fills. ofi: of 15 minutes, to the larger of itself and the volume. Missing is null, never 0.
INSERT INTO hl_features (chain, coin, time, px, change_1h, change_4h, open_interest_usd, open_interest_change_4h, rate, rate_4h_ago, rate_z, rate_hours, volume_usd, volume_ratio, flow, whale_flow, whale_usd, smart_flow, smart_usd, ofi, book, vpin,
  long_liquidated_usd, short_liquidated_usd, cluster_side, cluster_distance, cluster_usd, cluster_share, reconstructed)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last,
  toIntervalSecond(toUInt32((SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars')['recorded_minutes'] * 60)) AS late,
  bins AS (
    SELECT b.coin AS coin, toUnixTimestamp(toStartOfFiveMinutes(b.start)) + 300 AS t, argMaxIf(b.close, b.start, b.trades > 0) AS traded, argMax(b.mark, b.start) AS said, if(traded > 0, traded, ifNull(said, 0)) AS px, toFloat64(px) AS price, toFloat64(argMax(b.open_interest, b.start)) AS units, toFloat64(argMax(b.rate, b.start)) AS rate,
      sum(b.bought_usd) AS bought, sum(b.sold_usd) AS sold, sum(b.whale_bought_usd) AS whale_bought, sum(b.whale_sold_usd) AS whale_sold, sum(b.smart_bought_usd) AS smart_bought, sum(b.smart_sold_usd) AS smart_sold, sum(b.long_liquidated_usd) AS longs, sum(b.short_liquidated_usd) AS shorts,
      sum(b.ofi_usd) AS ofi, argMax(b.book, b.start) AS book, max(b.heard_at) AS heard
    FROM hl_bars AS b WHERE b.chain = {chain:String} AND b.start >= first - INTERVAL 1 DAY AND b.start < last GROUP BY coin, t
  ),
  hourly AS (
    SELECT coin, hour, avg(rate) OVER past AS mean, stddevSamp(rate) OVER past AS spread, count() OVER past AS hours FROM (
      SELECT coin, hour, argMin(rate, place) AS rate FROM (
        SELECT toString(b.coin) AS coin, toUnixTimestamp(toStartOfHour(b.start)) + 3600 AS hour, toFloat64(argMax(assumeNotNull(b.rate), b.start)) AS rate, 2 AS place FROM hl_bars AS b WHERE b.chain = {chain:String} AND b.start >= first - INTERVAL 31 DAY AND b.start < last AND b.rate IS NOT NULL GROUP BY coin, hour
        UNION ALL
        SELECT toString(r.coin), toUnixTimestamp(toStartOfHour(if(r.heard_at > r.time + late, r.time, r.heard_at))), toFloat64(r.rate), 1 FROM hl_funding_rates AS r
        WHERE r.chain = {chain:String} AND r.market = 'perp' AND r.block_number <= {through:UInt64} AND r.time >= first - INTERVAL 31 DAY AND r.time < last
      ) GROUP BY coin, hour
    ) WINDOW past AS (PARTITION BY coin ORDER BY hour RANGE BETWEEN 2592000 PRECEDING AND CURRENT ROW)
  ),
  buckets AS (
    SELECT coin, t, arraySort(groupArray((start, bought, sold))) AS minutes, arrayCumSum(m -> m.2 + m.3, minutes) AS volume, arrayCumSum(m -> m.2 - m.3, minutes) AS net, volume[-1] / 50 AS size,
      arrayMap((k, i) -> net[i] - (minutes[i].2 - minutes[i].3) * (volume[i] - size * k) / (minutes[i].2 + minutes[i].3), range(1, 51), arrayMap(k -> arrayFirstIndex(v -> v >= size * k * 0.999999999, volume), range(1, 51))) AS edges,
      arraySum(step -> abs(step), arrayDifference(arrayPushFront(edges, 0.))) / volume[-1] AS vpin
    FROM (
      SELECT toString(b.coin) AS coin, arrayJoin(arrayFilter(h -> h > toUnixTimestamp(b.start) AND h <= toUnixTimestamp(b.start) + 86400, range(toUnixTimestamp(toStartOfHour(first)) + 3600, toUnixTimestamp(last) + 1, 3600))) AS t, b.start AS start, b.bought_usd AS bought, b.sold_usd AS sold
      FROM hl_bars AS b WHERE b.chain = {chain:String} AND b.start >= first - INTERVAL 1 DAY AND b.start < last AND b.trades > 0
    ) GROUP BY coin, t HAVING length(minutes) >= 50
  ),
  clusters AS (
    SELECT toString(l.coin) AS coin, toUnixTimestamp(l.time) AS t, argMax((l.side, l.distance, l.usd), (l.usd, l.px)) AS largest FROM hl_liquidation_levels AS l
    WHERE l.chain = {chain:String} AND l.time > first AND l.time <= last AND abs(l.distance) <= 0.015 GROUP BY coin, t
  )
SELECT {chain:String}, w.coin, toDateTime(w.t, 'UTC'), w.px, if(w.ago1 > 0, w.price / w.ago1 - 1, NULL), if(w.ago4 > 0, w.price / w.ago4 - 1, NULL), w.units * w.price AS interest, if(w.units4 > 0, w.units / w.units4 - 1, NULL), w.rate, w.rate4, if(h.spread > 0, (w.rate - h.mean) / h.spread, NULL), toUInt32(h.hours), w.volume,
  if(w.earliest <= w.t - 72000 AND w.usual > 0, w.volume / (w.usual / 20), NULL), if(w.volume > 0, (w.b - w.s) / w.volume, NULL), if(w.wb + w.ws > 0, (w.wb - w.ws) / w.volume, NULL), w.wb + w.ws, if(w.sb + w.ss > 0, (w.sb - w.ss) / (w.sb + w.ss), NULL), w.sb + w.ss,
  if(greatest(abs(w.ofi15), w.volume15) > 0, w.ofi15 / greatest(abs(w.ofi15), w.volume15), NULL), w.book, if(v.coin != '', v.vpin, NULL),
  w.longs1, w.shorts1, if(c.coin != '', toString(c.largest.1), 'none'), if(c.coin != '', c.largest.2, NULL), c.largest.3, if(c.coin != '' AND interest > 0, c.largest.3 / interest, NULL), w.heard > toDateTime(w.t, 'UTC') + late
FROM (
  SELECT *, argMax(price, t) OVER one AS ago1, argMax(price, t) OVER four AS ago4, argMax(units, t) OVER four AS units4, argMax(rate, t) OVER four AS rate4, sum(bought) OVER hour AS b, sum(sold) OVER hour AS s, b + s AS volume,
    sum(whale_bought) OVER hour AS wb, sum(whale_sold) OVER hour AS ws, sum(smart_bought) OVER hours4 AS sb, sum(smart_sold) OVER hours4 AS ss, sum(longs) OVER hour AS longs1, sum(shorts) OVER hour AS shorts1,
    sum(ofi) OVER quarter AS ofi15, sum(bought + sold) OVER quarter AS volume15, sum(bought + sold) OVER before AS usual, min(t) OVER before AS earliest
  FROM bins WHERE price > 0
  WINDOW one AS (PARTITION BY coin ORDER BY t RANGE BETWEEN 7200 PRECEDING AND 3600 PRECEDING), four AS (PARTITION BY coin ORDER BY t RANGE BETWEEN 18000 PRECEDING AND 14400 PRECEDING), hour AS (PARTITION BY coin ORDER BY t RANGE BETWEEN 3300 PRECEDING AND CURRENT ROW),
    hours4 AS (PARTITION BY coin ORDER BY t RANGE BETWEEN 14100 PRECEDING AND CURRENT ROW), quarter AS (PARTITION BY coin ORDER BY t RANGE BETWEEN 600 PRECEDING AND CURRENT ROW), before AS (PARTITION BY coin ORDER BY t RANGE BETWEEN 75300 PRECEDING AND 3600 PRECEDING)
) AS w
ASOF LEFT JOIN hourly AS h ON h.coin = w.coin AND w.t > h.hour
LEFT JOIN buckets AS v ON v.coin = w.coin AND v.t = w.t
LEFT JOIN clusters AS c ON c.coin = w.coin AND c.t = w.t
WHERE w.t > {from_time:UInt32} AND w.t <= {to_time:UInt32}
ORDER BY w.t, w.coin
