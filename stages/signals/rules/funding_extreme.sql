-- Funding far from what the coin paid in the 30 days before: against the side that pays. venue_spread: the rate of an hour above what other venues were expected to set, by their
-- means within the hour before; absent where none said so.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort keys: hl_features (chain, time, coin), hl_predicted_fundings (chain, coin, time). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
WITH
  seen AS (
    SELECT f.chain AS chain, f.coin AS coin, f.time AS time, f.rate AS rate, assumeNotNull(f.rate_z) AS z, f.rate_hours AS hours, f.flow AS flow, f.px AS px, f.reconstructed AS reconstructed
    FROM hl_features AS f
    WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.rate_z IS NOT NULL
      AND abs(z) >= (SELECT min(least['z']) FROM hl_signal_rules WHERE kind = 'funding_extreme') AND ifNull(toFloat64(hours), 0) >= (SELECT min(least['hours']) FROM hl_signal_rules WHERE kind = 'funding_extreme')
  ),
  others AS (
    SELECT coin, time, avg(hourly) AS mean FROM (
      SELECT s.coin AS coin, s.time AS time, argMax(toFloat64(p.rate) / assumeNotNull(p.interval_hours), p.time) AS hourly
      FROM seen AS s INNER JOIN hl_predicted_fundings AS p ON p.coin = s.coin
      WHERE p.chain = {chain:String} AND p.venue != 'HlPerp' AND p.interval_hours > 0 AND p.time > toDateTime({from_time:UInt32}, 'UTC') - INTERVAL 1 HOUR AND p.time > s.time - INTERVAL 1 HOUR AND p.time <= s.time
      GROUP BY s.coin, s.time, p.venue
    ) GROUP BY coin, time
  )
SELECT s.chain, 'funding_extreme', s.coin, s.time, if(s.z > 0, 'short', 'long') AS towards, least(100, round(25 * abs(s.z), 2)) AS strength,
  mapFilter((name, value) -> isFinite(value), map('z', abs(s.z), 'hours', ifNull(toFloat64(s.hours), 0), 'flow', multiIf(towards = 'long', ifNull(s.flow, 0), towards = 'short', -ifNull(s.flow, 0), 0), 'venue_spread', if(o.coin = '', nan, ifNull(s.rate, nan) - o.mean))) AS measures,
  concat('Funding of ', toString(round(assumeNotNull(s.rate) * 100, 4)), ' % an hour is ', toString(round(s.z, 2)), ' standard deviations from its ', toString(s.hours), ' hours before', if(mapContains(measures, 'venue_spread'), concat(', ', toString(round(measures['venue_spread'] * 100, 4)), ' % above other venues'), '')) AS detail, s.px, s.reconstructed
FROM seen AS s LEFT ANY JOIN others AS o ON o.coin = s.coin AND o.time = s.time
