-- Large trades of the last hour: with what their takers bought less sold, as a share of all volume.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'whale_flow', f.coin, f.time, if(f.whale_flow > 0, 'long', 'short') AS towards, least(100, round(100 * abs(assumeNotNull(f.whale_flow)), 2)) AS strength,
    map('share', ifNull(abs(f.whale_flow), 0), 'usd', ifNull(f.whale_usd, 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('Takers of large trades net ', toString(round(assumeNotNull(f.whale_flow) * 100, 1)), ' % of the hour''s volume, $', toString(round(f.whale_usd)), ' traded by them') AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.whale_flow IS NOT NULL
)
WHERE measures['share'] >= (SELECT min(least['share']) FROM hl_signal_rules WHERE kind = 'whale_flow') AND measures['usd'] >= (SELECT min(least['usd']) FROM hl_signal_rules WHERE kind = 'whale_flow')
