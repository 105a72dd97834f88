-- The crowded side pays much, open interest grows and a cluster of that side's liquidations is near: towards it.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort keys: hl_features (chain, time, coin), hl_liquidation_levels (chain, time, …). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'cascade_setup', f.coin, f.time, if(f.rate > 0, 'short', 'long') AS towards, least(100, round(50 + 500 * ifNull(f.open_interest_change_4h, 0), 2)) AS strength,
    map('rate_8h', ifNull(8 * abs(f.rate), 0), 'open_interest', ifNull(f.open_interest_change_4h, 0), 'usd', ifNull(f.cluster_usd, 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('Funding of ', toString(round(8 * assumeNotNull(f.rate) * 100, 4)), ' % in eight hours, open interest ', toString(round(ifNull(f.open_interest_change_4h, 0) * 100, 2)), ' % in four, and an estimated $', toString(round(f.cluster_usd)), ' of ', toString(f.cluster_side), 's would be closed ', toString(round(assumeNotNull(f.cluster_distance) * 100, 2)), ' % away; longs and shorts that are seen are together ', ifNull(concat(toString(round(l.seen * 100, 2)), ' % of open interest, of 200 in all'), 'a share of open interest that is not known')) AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  LEFT ANY JOIN (
    SELECT v.coin AS coin, v.time AS time, any(v.coverage) AS seen FROM hl_liquidation_levels AS v WHERE v.chain = {chain:String} AND v.time > toDateTime({from_time:UInt32}, 'UTC') AND v.time <= toDateTime({to_time:UInt32}, 'UTC') GROUP BY v.coin, v.time
  ) AS l ON l.coin = f.coin AND l.time = f.time
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND ((f.rate > 0 AND f.cluster_side = 'long') OR (f.rate < 0 AND f.cluster_side = 'short'))
)
WHERE measures['rate_8h'] >= (SELECT min(least['rate_8h']) FROM hl_signal_rules WHERE kind = 'cascade_setup') AND measures['open_interest'] >= (SELECT min(least['open_interest']) FROM hl_signal_rules WHERE kind = 'cascade_setup') AND measures['usd'] >= (SELECT min(least['usd']) FROM hl_signal_rules WHERE kind = 'cascade_setup')
