-- The largest estimated cluster of liquidations near the price: towards it.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort keys: hl_features (chain, time, coin), hl_liquidation_levels (chain, time, …). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'liquidation_cluster', f.coin, f.time, if(f.cluster_distance > 0, 'long', 'short') AS towards, least(100, round(40 + 1000 * ifNull(f.cluster_share, 0), 2)) AS strength,
    map('share', ifNull(f.cluster_share, 0), 'usd', ifNull(f.cluster_usd, 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('Estimated: $', toString(round(f.cluster_usd)), ' of ', toString(f.cluster_side), 's seen would be closed ', toString(round(assumeNotNull(f.cluster_distance) * 100, 2)), ' % away, ', toString(round(ifNull(f.cluster_share, 0) * 100, 2)), ' % of open interest; longs and shorts that are seen are together ', ifNull(concat(toString(round(l.seen * 100, 2)), ' % of it, of 200 in all'), 'a share of it that is not known')) AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  LEFT ANY JOIN (
    SELECT v.coin AS coin, v.time AS time, any(v.coverage) AS seen FROM hl_liquidation_levels AS v WHERE v.chain = {chain:String} AND v.time > toDateTime({from_time:UInt32}, 'UTC') AND v.time <= toDateTime({to_time:UInt32}, 'UTC') GROUP BY v.coin, v.time
  ) AS l ON l.coin = f.coin AND l.time = f.time
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.cluster_side != 'none'
)
WHERE measures['share'] >= (SELECT min(least['share']) FROM hl_signal_rules WHERE kind = 'liquidation_cluster') AND measures['usd'] >= (SELECT min(least['usd']) FROM hl_signal_rules WHERE kind = 'liquidation_cluster')
