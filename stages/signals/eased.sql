-- Positions that were close to where they would be closed by force and were made smaller (by more than a tenth of their size: a lower price is no closing), or whose liquidation price
-- was moved away by at least the distance that counts as near, or so far that the venue gives none (collateral added). Estimates from observations of what is followed, each against the one before it, an hour before at most.
-- Grain: one position_reduced or collateral_added of an account and coin at one observation, written once. Parameters: chain, from_time, to_time (Unix seconds), through.
-- Sort keys: hl_positions by time within its partitions, hl_alerts (chain, time, id). From what value on, and how severe: as liquidation_near.
INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last, (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers, toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late
SELECT {chain:String}, SHA256(concat(what, '|', {chain:String}, '|', lower(hex(account)), '|', coin, '|', toString(toUnixTimestamp64Milli(time)))) AS named, what, 'estimated', t.severity, 50 + least(20, log10(greatest(before.3 / t.threshold, 1)) * 10) AS score,
  coin, if(szi > 0, 'long', 'short'), account, mark, round(value, 6), known, toFixedString('', 32), 0,
  concat('Estimated: the ', if(szi > 0, 'long', 'short'), ' in ', coin, ' of 0x', lower(hex(account)), if(what = 'position_reduced', concat(' was made smaller by ', toString(round((1 - szi / before.1) * 100, 1)), ' %'), concat(' got room: its liquidation price went from ', toString(before.2), ' to ', if(level > 0, toString(level), 'none')))),
  concat('distance ', toString(round(before.4, 6)), ' before, ', if(level > 0, concat(toString(round(distance, 6)), ' after'), 'no liquidation price after')), block, 0
FROM (
  SELECT *, lagInFrame((szi, level, value, distance, time, true)) OVER (PARTITION BY account, coin ORDER BY time, known ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before,
    multiIf(NOT before.6 OR before.2 <= 0 OR before.5 < time - INTERVAL 1 HOUR OR szi * before.1 <= 0 OR before.4 >= numbers['near'], '', abs(szi) < 0.9 * abs(before.1), 'position_reduced',
      abs(szi) >= abs(before.1) AND (level <= 0 OR if(szi > 0, before.2 - level, level - before.2) >= numbers['near'] * before.2), 'collateral_added', '') AS what
  FROM (
    SELECT toString(q.coin) AS coin, q.account AS account, q.time AS time, if(q.heard_at > q.time + late, q.time, q.heard_at) AS known, toFloat64(q.szi) AS szi, ifNull(toFloat64(q.liquidation_px), 0) AS level, abs(toFloat64(q.position_value)) AS value,
      value / abs(szi) AS price, abs(price - level) / price AS distance, toDecimal128OrZero(toString(round(price, 8)), 18) AS mark, q.block_number AS block
    FROM hl_positions AS q WHERE q.chain = {chain:String} AND q.market = 'perp' AND q.block_number <= {through:UInt64} AND q.time >= first - late - INTERVAL 1 HOUR AND q.time < last + INTERVAL 1 DAY AND known < last AND q.szi != 0 AND q.position_value != 0
  )
) AS n
CROSS JOIN (SELECT argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds WHERE chain = {chain:String} AND rule = 'liquidation_near' HAVING count() > 0) AS t
WHERE known >= first AND what != '' AND before.3 >= t.threshold AND named NOT IN (SELECT a.id FROM hl_alerts AS a WHERE a.chain = {chain:String} AND a.time >= first)
ORDER BY known, coin, account
