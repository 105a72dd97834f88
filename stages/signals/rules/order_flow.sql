-- Flow of orders at the best prices of 15 minutes: with it.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'order_flow', f.coin, f.time, if(f.ofi > 0, 'long', 'short') AS towards, least(100, round(100 * abs(assumeNotNull(f.ofi)), 2)) AS strength,
    map('share', ifNull(abs(f.ofi), 0), 'usd', ifNull(f.volume_usd, 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('Orders at the best prices moved by ', toString(round(assumeNotNull(f.ofi) * 100, 1)), ' % of what traded in 15 minutes') AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.ofi IS NOT NULL
)
WHERE measures['share'] >= (SELECT min(least['share']) FROM hl_signal_rules WHERE kind = 'order_flow') AND measures['usd'] >= (SELECT min(least['usd']) FROM hl_signal_rules WHERE kind = 'order_flow')
