-- Open interest and volume grow into a falling price while funding turns negative: short.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'bearish_divergence', f.coin, f.time, 'short' AS towards, least(100, round(1000 * (ifNull(-f.change_4h, 0) + ifNull(f.open_interest_change_4h, 0)), 2)) AS strength,
    map('fall', ifNull(-f.change_4h, 0), 'open_interest', ifNull(f.open_interest_change_4h, 0), 'volume', ifNull(f.volume_ratio, 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('Price ', toString(round(assumeNotNull(f.change_4h) * 100, 2)), ' %, open interest ', toString(round(assumeNotNull(f.open_interest_change_4h) * 100, 2)), ' % in four hours, volume ', toString(round(ifNull(f.volume_ratio, 0), 2)), ' times the mean, funding turned negative') AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.rate < 0 AND f.rate_4h_ago >= 0
)
WHERE measures['fall'] >= (SELECT min(least['fall']) FROM hl_signal_rules WHERE kind = 'bearish_divergence') AND measures['open_interest'] >= (SELECT min(least['open_interest']) FROM hl_signal_rules WHERE kind = 'bearish_divergence') AND measures['volume'] >= (SELECT min(least['volume']) FROM hl_signal_rules WHERE kind = 'bearish_divergence')
