-- What became of signals while nobody heard is not known, and which look was told of to its end.

-- Trades of the venue that nobody heard in time: stretches of a coin, or of all of them (''), as far as segments up to through tell. reaches: how far this one and those that began before it reach.
-- A stretch that waited to be asked for is none any more when all of it was asked for (over), but only where the answers came before the look at the market that needed them, or so soon that they count as heard
-- then: what comes later is in no bar. What was told as missing for good stays so. Grain: one begin of a stretch of a coin. Parameters: chain, through (the last segment that counts),
-- since (Unix seconds: stretches that were over before may be left out; one is told when it is over, and clocks differ by less than an hour).
-- Sort keys: hl_gaps, hl_signal_runs (chain, …), both small. To be looked up by the last from_time before an end: something was missed where it reaches beyond the begin.
CREATE VIEW IF NOT EXISTS hl_unheard AS
WITH
  toIntervalMinute(toUInt32((SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars')['recorded_minutes'])) AS late,
  told AS (
    SELECT toString(coin) AS coin, toString(channel) AS channel, toString(state) AS state, from_time, to_time, greatest(from_time, to_time) AS until, heard_at, block_number, '' AS every FROM hl_gaps
    WHERE chain = {chain:String} AND channel IN ('trades', 'all') AND block_number <= {through:UInt64} AND time >= toDateTime(greatest({since:UInt32}, 3600) - 3600, 'UTC')
  )
SELECT coin, from_time, max(to_time) OVER (PARTITION BY coin ORDER BY from_time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS reaches FROM (
  SELECT g.coin AS coin, g.from_time AS from_time, max(g.until) AS to_time
  FROM (SELECT * FROM told WHERE state != 'over') AS g
  LEFT JOIN (
    SELECT channel, from_time, to_time, min(heard_at) AS heard, min(block_number) AS block FROM told WHERE state = 'over' GROUP BY channel, from_time, to_time
  ) AS o ON o.channel = g.channel AND o.from_time = g.from_time AND o.to_time = g.to_time
  ASOF LEFT JOIN (
    SELECT '' AS every, toDateTime64(to_time, 3, 'UTC') AS looked, any(through) AS block FROM hl_signal_runs
    WHERE chain = {chain:String} AND to_time > (SELECT min(from_time) FROM told) GROUP BY to_time
  ) AS r ON r.every = g.every AND r.looked > g.from_time
  WHERE g.state = '' OR o.heard <= toDateTime64(0, 3, 'UTC') OR NOT (o.heard <= g.from_time + late OR r.looked <= toDateTime64(0, 3, 'UTC') OR o.block <= r.block)
  GROUP BY coin, from_time
);

-- told: that marks and results as of this run were written, whatever they are.
ALTER TABLE hl_signal_runs ADD COLUMN IF NOT EXISTS told Bool DEFAULT false;

-- unknown: over, but of what they made nothing is known: trades of their time were not heard, or a rate of funding was not. They count in no mean.
ALTER TABLE hl_results ADD COLUMN IF NOT EXISTS unknown UInt32 DEFAULT 0 AFTER unfilled;
