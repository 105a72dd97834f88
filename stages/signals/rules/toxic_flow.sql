-- One side takes most of the volume of a day (VPIN), which says that it moves, not where to.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'toxic_flow', f.coin, f.time, 'none' AS towards, least(100, round(100 * assumeNotNull(f.vpin), 2)) AS strength,
    map('vpin', ifNull(f.vpin, 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('VPIN over the last day is ', toString(round(assumeNotNull(f.vpin), 3))) AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.vpin IS NOT NULL
)
WHERE measures['vpin'] >= (SELECT min(least['vpin']) FROM hl_signal_rules WHERE kind = 'toxic_flow')
