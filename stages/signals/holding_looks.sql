-- From where a look works out what accounts hold: from the look before, unless its numbers of the rules, its segments or their fills are others now, it is too far back,
-- or what was written then is not there (a look at which nothing changed wrote nothing: few fills are soon read) or may go.
-- Every four hours all of it is written anew, so that few changes are read beside. Grain: one look, written once. Parameters: chain, from_time, to_time (Unix seconds), through.
-- Sort keys: hl_holding_looks (chain, look), hl_holdings (chain, base, …), hl_fills (chain, time, …). Which way is taken shows in no holding.
INSERT INTO hl_holding_looks (chain, look, until, through, base, based_at, prior, prior_base, prior_until, prior_through, rules, known, generations)
WITH
  toDateTime({from_time:UInt32}, 'UTC') AS first, toDateTime({to_time:UInt32}, 'UTC') AS last, (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers,
  toIntervalDay(toUInt32(numbers['smart_days'])) AS days, toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late, cityHash64(toString(mapSort(numbers))) AS hashed,
  (SELECT argMax((l.look, l.until, l.through, l.base, l.based_at, l.rules, l.known, l.generations), l.look) FROM hl_holding_looks AS l WHERE l.chain = {chain:String} AND l.look < first) AS before,
  if(before.1 > toDateTime('2020-01-01 00:00:00', 'UTC'), before.1, first) AS earlier,
  (
    SELECT (countIf(counted), sumIf(f.generation, counted), countIf(counts), sumIf(f.generation, counts)) FROM (
      SELECT generation, block_number <= before.3 AND time < before.2 + INTERVAL 1 DAY AS counted, block_number <= {through:UInt64} AND time >= first - days AS counts FROM hl_fills WHERE chain = {chain:String} AND time >= earlier - days AND time < last + INTERVAL 1 DAY
    ) AS f
  ) AS fills,
  (SELECT max(h.look) FROM hl_holdings AS h WHERE h.chain = {chain:String} AND h.base = before.4) AS written,
  before.6 = hashed AND written = before.1 AND before.3 <= {through:UInt64} AND (fills.1, fills.2) = (before.7, before.8) AND first - days <= before.1 - late AND before.5 > now('UTC') - INTERVAL 1 DAY AS follows, follows AND first < before.4 + INTERVAL 4 HOUR AS kept
SELECT {chain:String}, first, last, {through:UInt64}, if(kept, before.4, first), if(kept, before.5, now('UTC')), if(follows, before.1, NULL), if(follows, before.4, first), if(follows, before.2, first), if(follows, before.3, 0), hashed, fills.3, fills.4
WHERE NOT EXISTS (SELECT 1 FROM hl_holding_looks AS l WHERE l.chain = {chain:String} AND l.look = first)
