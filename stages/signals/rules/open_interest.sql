-- Price and open interest of four hours: with the price where open interest grows; covering and flushes have no side.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT * FROM (
  SELECT f.chain, 'open_interest', f.coin, f.time, multiIf(f.open_interest_change_4h < 0, 'none', f.change_4h > 0, 'long', 'short') AS towards, least(100, round(500 * (abs(assumeNotNull(f.change_4h)) + abs(assumeNotNull(f.open_interest_change_4h))), 2)) AS strength,
    map('move', ifNull(abs(f.change_4h), 0), 'open_interest', ifNull(abs(f.open_interest_change_4h), 0), 'flow', multiIf(towards = 'long', ifNull(f.flow, 0), towards = 'short', -ifNull(f.flow, 0), 0)) AS measures,
    concat(multiIf(f.change_4h > 0 AND f.open_interest_change_4h > 0, 'New longs', f.change_4h > 0, 'Shorts cover', f.open_interest_change_4h > 0, 'New shorts', 'Longs are flushed'), ': price ', toString(round(assumeNotNull(f.change_4h) * 100, 2)), ' %, open interest ', toString(round(assumeNotNull(f.open_interest_change_4h) * 100, 2)), ' % in four hours') AS detail, f.px, f.reconstructed
  FROM hl_features AS f
  WHERE f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.change_4h IS NOT NULL AND f.open_interest_change_4h IS NOT NULL
)
WHERE measures['move'] >= (SELECT min(least['move']) FROM hl_signal_rules WHERE kind = 'open_interest') AND measures['open_interest'] >= (SELECT min(least['open_interest']) FROM hl_signal_rules WHERE kind = 'open_interest')
