-- What is said of a forced trade may change with what is heard later: the loser's own fill is above a winner's, a winner's above whom the other side names. Each segment that
-- changes the answer adds a row, so rows hang on segments alone and not on which came together. told: by whose fill the answer is known; unknown: written before this was kept.
ALTER TABLE hl_liquidations ADD COLUMN IF NOT EXISTS told Enum8('unknown' = 0, 'other' = 1, 'winner' = 2, 'loser' = 3) DEFAULT 'unknown';

-- Forced trades as they are known now, with when they were heard first. Grain: one forced trade, once by (time, coin, tid, extra). Narrow it by chain and time.
CREATE VIEW IF NOT EXISTS hl_forced AS
SELECT l.chain AS chain, min(l.block_number) AS block_number, min(l.heard_at) AS heard_at, l.coin AS coin, any(l.market) AS market, l.time AS time, l.tid AS tid, l.extra AS extra, argMax(l.kind, l.block_number) AS kind, argMax(l.liquidated, l.block_number) AS liquidated,
  argMax(l.side, l.block_number) AS side, argMax(l.px, l.block_number) AS px, argMax(l.sz, l.block_number) AS sz, argMax(l.method, l.block_number) AS method, argMax(l.hash, l.block_number) AS hash
FROM hl_liquidations AS l GROUP BY l.chain, l.time, l.coin, l.tid, l.extra;

-- A book is said 20 levels a side: of a side that has as many nothing is known beyond the last. bid_usd, ask_usd are null from now on where 1 % lies beyond it (rows before took what was said
-- for all there is). book: from -1 (asks alone) to 1 (bids alone) within the widest of 5, 10, 25, 50 and 100 basis points that is known on both sides.
ALTER TABLE hl_bars ADD COLUMN IF NOT EXISTS book Nullable(Float64) AFTER ofi_usd;

-- Who leads at a time: by closed profit less fees of the days before, with so much volume and more gained than lost (so that the return on any capital is positive). Funding is told of
-- those alone that are followed, so it ranks nobody. Grain: one account. Parameters: chain, from_time (Unix seconds), through (the last segment that counts).
CREATE VIEW IF NOT EXISTS hl_leaders AS
WITH
  (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers, toDateTime({from_time:UInt32}, 'UTC') AS first, toIntervalSecond(toUInt32(numbers['recorded_minutes'] * 60)) AS late
SELECT f.account AS account FROM hl_fills AS f
WHERE f.chain = {chain:String} AND f.market = 'perp' AND f.block_number <= {through:UInt64} AND f.time >= first - toIntervalDay(toUInt32(numbers['smart_days'])) AND f.time < first AND if(f.heard_at > f.time + late, f.time, f.heard_at) < first
GROUP BY f.account HAVING sum(toFloat64(f.px) * toFloat64(f.sz)) >= numbers['smart_usd'] AND sum(f.closed_pnl) - sum(f.fee) > 0
ORDER BY sum(f.closed_pnl) - sum(f.fee) DESC, f.account LIMIT (SELECT toUInt32(argMax(least, revision)['smart_accounts']) FROM hl_signal_rules WHERE kind = 'bars');

-- How accounts stand in a coin at a time, by what their fills of the days before left them with: leaders (smart) and all whose fills are heard (tracked, leaders among them). Dollars at the coin's
-- price then. flows: dollars leaders traded in four hours by what a fill did (open, add, reduce, close, flip) and the side of that position. Grain: one coin at one time where anybody holds anything.
CREATE TABLE IF NOT EXISTS hl_stances (
  chain LowCardinality(String), coin LowCardinality(String), time DateTime('UTC'), smart_accounts UInt32, smart_long_accounts UInt32, smart_long_usd Float64, smart_short_usd Float64,
  tracked_accounts UInt32, tracked_long_accounts UInt32, tracked_long_usd Float64, tracked_short_usd Float64, flows Map(String, Float64)
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, coin)
SETTINGS non_replicated_deduplication_window = 10000;

-- The rule of stances, in the five versions of the others. smart_money stays what it was: what leaders traded, not how they stand.
INSERT INTO hl_signal_rules (kind, version, description, archived, least, cooldown_minutes, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd, revision)
SELECT 'smart_bias', v.1, concat('Towards the side on which accounts that led the 30 days before stand more than all that are tracked do: long share of what they hold less that of all, by dollars and by accounts, of which the smaller counts', v.2), v.3,
  mapUpdate(mapApply((name, value) -> (name, value * v.4), map('bias', 0.2, 'accounts', 5, 'tracked', 20, 'usd', 250000)), if(v.5 > 0, map('flow', v.5), map())), 240, 60, 240, 0.02 * v.6, 0.02 * v.6, 4.5, 2, 1000, 0
FROM (SELECT arrayJoin([('v3', '', false, 1., 0., 1.), ('v4', ', stop and target half as far', true, 1., 0., 0.5), ('v5', ', thresholds half as high again', false, 1.5, 0., 1.),
  ('v6', ', takers agree', true, 1., 0.1, 1.), ('v7', ', thresholds a quarter higher and takers agree', false, 1.25, 0.1, 1.)]) AS v) AS versions;
