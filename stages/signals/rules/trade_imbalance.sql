-- All trades of the last hour: with what takers bought less sold.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'trade_imbalance', f.coin, f.time, if(f.flow > 0, 'long', 'short') AS towards, least(100, round(100 * abs(assumeNotNull(f.flow)), 2)) AS strength,
    map('share', ifNull(abs(f.flow), 0), 'usd', ifNull(f.volume_usd, 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('Takers bought less sold ', toString(round(assumeNotNull(f.flow) * 100, 1)), ' % of $', toString(round(f.volume_usd)), ' in an hour') AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.flow IS NOT NULL
)
WHERE measures['share'] >= (SELECT min(least['share']) FROM hl_signal_rules WHERE kind = 'trade_imbalance') AND measures['usd'] >= (SELECT min(least['usd']) FROM hl_signal_rules WHERE kind = 'trade_imbalance')
