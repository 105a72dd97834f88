-- To every signal with a side one drawn by lot: the same coin, the same terms, a minute within its horizon and a side by the digits of its id. Grain: one signal, written once.
-- Parameters: chain, from_time, to_time (Unix seconds). Sort key: hl_signals (chain, time, …). What a rule is worth is what it makes more than these.
INSERT INTO hl_signals (chain, id, kind, version, coin, time, side, strength, measures, detail, px, reconstructed, baseline, matched, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd, through)
SELECT s.chain, SHA256(concat('baseline|', s.id)) AS drawn, s.kind, s.version, s.coin, s.time + toIntervalMinute(1 + reinterpretAsUInt32(substring(drawn, 1, 4)) % s.horizon_minutes), if(reinterpretAsUInt8(substring(drawn, 5, 1)) % 2 = 0, 'long', 'short'), 0, map(), '', s.px, s.reconstructed, true, s.id,
  s.latency_seconds, s.horizon_minutes, s.stop, s.target, s.fee_bps, s.slip_bps, s.quantity_usd, s.through
FROM hl_signals AS s
WHERE s.chain = {chain:String} AND s.time > toDateTime({from_time:UInt32}, 'UTC') AND s.time <= toDateTime({to_time:UInt32}, 'UTC') AND NOT s.baseline AND s.side != 'none'
ORDER BY s.time, s.kind, s.coin, s.version
