-- Trades of four hours of the accounts that led the 30 days before: with what they bought less sold.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'smart_money', f.coin, f.time, if(f.smart_flow > 0, 'long', 'short') AS towards, least(100, round(100 * abs(assumeNotNull(f.smart_flow)), 2)) AS strength,
    map('share', ifNull(abs(f.smart_flow), 0), 'usd', ifNull(f.smart_usd, 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat('Accounts that led the 30 days before net ', toString(round(assumeNotNull(f.smart_flow) * 100, 1)), ' % of the $', toString(round(f.smart_usd)), ' they traded in four hours') AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.smart_flow IS NOT NULL
)
WHERE measures['share'] >= (SELECT min(least['share']) FROM hl_signal_rules WHERE kind = 'smart_money') AND measures['usd'] >= (SELECT min(least['usd']) FROM hl_signal_rules WHERE kind = 'smart_money')
