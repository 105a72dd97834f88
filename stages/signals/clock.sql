-- The next stretch of time to look at: from the first thing known since the last run, up to a day, to the last full five minutes of what is known.
-- Grain: one row, none where nothing is ready. Parameters: chain, through (highest segment to read), now (Unix milliseconds). Sort keys: hl_trades (chain, time, …), hl_contexts and hl_positions by time within their keys.
-- Known is what was heard when it was heard; what was heard long after it happened counts when it happened, and is waited for until no more of it comes. Positions are what an
-- account holds when it is asked about: one told long after is said again each time it is asked for, and nothing waits for it.
-- What bears a time that has yet to come by the server's clock was heard by a clock that was ahead: no stretch ends by it, as what is heard until then would be in none; of what counts when it happened, that time is all that is waited for.
-- Only segments below which all are enriched are read. open_since: signals up to then are over: two days back, or further where one since the last look's is not (trades may be silent for longer), and an hour
-- for its first rate of funding.
WITH
  toDateTime('2020-01-01 00:00:00', 'UTC') AS never, (SELECT if(count() = 0, never, max(r.to_time)) FROM hl_signal_runs AS r WHERE r.chain = {chain:String} AND r.done) AS last,
  (SELECT argMax(r.open_since, r.to_time) FROM hl_signal_runs AS r WHERE r.chain = {chain:String} AND r.done) AS settled,
  (SELECT if(count() = 0, toDateTime('2100-01-01 00:00:00', 'UTC'), min(s.time) - INTERVAL 1 HOUR) FROM hl_signals AS s WHERE s.chain = {chain:String} AND s.time > settled AND s.side != 'none' AND s.id NOT IN (SELECT o.id FROM hl_outcomes AS o WHERE o.chain = {chain:String} AND o.time > settled)) AS unsettled,
  (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers,
  toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late,
  (SELECT if(count() = 0, {through:UInt64}, least({through:UInt64}, max(b.to_block))) FROM batches AS b WHERE b.chain = {chain:String} AND b.stage = 'enrich') AS top,
  pending AS (
    SELECT if(t.heard_at > t.time + late, t.time, t.heard_at) AS known, t.heard_at AS heard, t.heard_at > t.time + late AS recorded, t.block_number AS block FROM hl_trades AS t
    WHERE t.chain = {chain:String} AND t.market = 'perp' AND t.block_number <= top AND t.time >= last - late AND known >= last
    UNION ALL
    SELECT x.heard_at, x.heard_at, false, x.block_number FROM hl_contexts AS x WHERE x.chain = {chain:String} AND x.dex = '' AND x.market = 'perp' AND x.block_number <= top AND x.time >= last
    UNION ALL
    SELECT p.heard_at, p.heard_at, false, p.block_number FROM hl_positions AS p
    WHERE p.chain = {chain:String} AND p.market = 'perp' AND p.block_number <= top AND p.time >= last - late AND p.heard_at >= last AND p.heard_at <= p.time + late
  )
SELECT toFloat64(toUnixTimestamp(start)) AS from_time, toFloat64(toUnixTimestamp(least(start + INTERVAL 1 DAY, end))) AS to_time, toString(highest) AS through, toFloat64(toUnixTimestamp(least(if(last = never, start, last) - INTERVAL 2 DAY, unsettled))) AS open_since
FROM (SELECT toStartOfFiveMinutes(toDateTime(min(known), 'UTC')) AS start, toStartOfFiveMinutes(toDateTime(maxIf(known, known <= now64(3, 'UTC')), 'UTC')) AS end, count() AS number, maxIf(if(heard > now64(3, 'UTC'), known, heard), recorded) AS loaded, max(block) AS highest FROM pending)
WHERE number > 0 AND end > start AND loaded + toIntervalSecond(toUInt32(numbers['settle_seconds'])) <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
