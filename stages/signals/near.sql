-- Positions seen close to where they would be closed by force: an estimate from what is followed, never a liquidation. Grain: one account and coin in one hour, approaching or imminent, written once: what was seen first of it once it was worth what the threshold says.
-- Parameters: chain, from_time, to_time (Unix seconds), through. Sort keys: hl_positions by time within its partitions, hl_alerts (chain, time, id). A rule without a threshold on the chain is silent.
INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last, (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers, toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late
SELECT {chain:String}, SHA256(concat('liquidation_near|', {chain:String}, '|', lower(hex(account)), '|', coin, '|', toString(toUnixTimestamp(hour)), '|', if(imminent, 'imminent', 'approaching'))) AS named, 'liquidation_near', 'estimated', degree, if(imminent, 80, 60) + least(20, log10(greatest(seen.4 / least_usd, 1)) * 10) AS score,
  coin, if(seen.2 > 0, 'long', 'short'), account, seen.6, round(seen.4, 6), seen.1, toFixedString('', 32), 0, concat('Estimated: the ', if(seen.2 > 0, 'long', 'short'), ' of $', toString(round(seen.4)), ' in ', coin, ' of 0x', lower(hex(account)), ' is ', toString(round(seen.5 * 100, 3)), ' % from its liquidation price'),
  concat('liquidation price ', toString(seen.3), ', distance ', toString(round(seen.5, 6))), seen.7, 0
FROM (
  SELECT coin, account, toStartOfHour(known) AS hour, distance < numbers['imminent'] AS imminent, any(t.threshold) AS least_usd, any(t.severity) AS degree, argMin((known, szi, level, value, distance, mark, block), known) AS seen FROM (
    SELECT toString(q.coin) AS coin, q.account AS account, if(q.heard_at > q.time + late, q.time, q.heard_at) AS known, toFloat64(q.szi) AS szi, toFloat64(assumeNotNull(q.liquidation_px)) AS level, abs(toFloat64(q.position_value)) AS value,
      value / abs(szi) AS price, abs(price - level) / price AS distance, toDecimal128OrZero(toString(round(price, 8)), 18) AS mark, q.block_number AS block
    FROM hl_positions AS q WHERE q.chain = {chain:String} AND q.market = 'perp' AND q.block_number <= {through:UInt64} AND q.time >= first - late AND q.time < last + INTERVAL 1 DAY AND known >= first AND known < last AND q.szi != 0 AND q.liquidation_px > 0 AND q.position_value != 0
  ) AS o CROSS JOIN (SELECT argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds WHERE chain = {chain:String} AND rule = 'liquidation_near' HAVING count() > 0) AS t
  WHERE distance < numbers['near'] AND value >= t.threshold GROUP BY coin, account, hour, imminent
) AS n
WHERE named NOT IN (SELECT a.id FROM hl_alerts AS a WHERE a.chain = {chain:String} AND a.time >= first - INTERVAL 1 HOUR)
ORDER BY seen.1, coin, account
