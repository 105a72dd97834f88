-- Funding far from what the coin paid in the 30 days before: against the side that pays.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'funding_extreme', f.coin, f.time, if(f.rate_z > 0, 'short', 'long') AS towards, least(100, round(25 * abs(assumeNotNull(f.rate_z)), 2)) AS strength,
    map('z', ifNull(abs(f.rate_z), 0), 'hours', ifNull(toFloat64(f.rate_hours), 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('Funding of ', toString(round(assumeNotNull(f.rate) * 100, 4)), ' % an hour is ', toString(round(assumeNotNull(f.rate_z), 2)), ' standard deviations from its ', toString(f.rate_hours), ' hours before') AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.rate_z IS NOT NULL
)
WHERE measures['z'] >= (SELECT min(least['z']) FROM hl_signal_rules WHERE kind = 'funding_extreme') AND measures['hours'] >= (SELECT min(least['hours']) FROM hl_signal_rules WHERE kind = 'funding_extreme')
