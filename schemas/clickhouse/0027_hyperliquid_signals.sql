-- Signals of the Hyperliquid market and what became of them. What is heard is cut into bars by when it could be known, bars give features, features what rules see,
-- and what rules see becomes signals: each is written once and never again; its outcome stands in a table of its own. Nothing here is heard from the venue.

-- When a row could be known: when it was heard, or when it happened where it was heard long after (files, recordings, backfill: a market of then, not of now).

-- One look at the market up to a time: which segments it read. Runs follow each other in time; reading the same segments again gives the same rows. open_since: signals before were over. Grain: one beginning or end of a run.
CREATE TABLE IF NOT EXISTS hl_signal_runs (
  chain LowCardinality(String), from_time DateTime('UTC'), to_time DateTime('UTC'), through UInt64, open_since DateTime('UTC'), done Bool, at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (chain, to_time, done)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one minute of one perp of the venue in which anything was known. Dollars of takers; whale: of trades from a size on; smart: of accounts that led the 30 days before;
-- liquidated: what the venue said, never an estimate; bid, ask: resting within 1 % in the last book; ofi: order flow at the best prices. mark, rate, open_interest: last said. Prices are 0 where trades is.
CREATE TABLE IF NOT EXISTS hl_bars (
  chain LowCardinality(String), coin LowCardinality(String), start DateTime('UTC'), open Decimal(38, 18), high Decimal(38, 18), low Decimal(38, 18), close Decimal(38, 18), trades UInt32,
  bought_usd Float64, sold_usd Float64, whale_bought_usd Float64, whale_sold_usd Float64, smart_bought_usd Float64, smart_sold_usd Float64, long_liquidated_usd Float64, short_liquidated_usd Float64,
  mark Nullable(Decimal(38, 18)), rate Nullable(Decimal(38, 18)), open_interest Nullable(Decimal(38, 18)), bid_usd Nullable(Float64), ask_usd Nullable(Float64), ofi_usd Nullable(Float64), heard_at DateTime64(3, 'UTC')
) ENGINE = MergeTree PARTITION BY toYYYYMM(start) ORDER BY (chain, coin, start)
SETTINGS non_replicated_deduplication_window = 10000;

-- Where positions that were seen would be closed by force, by bins of half a percent: an estimate. side: of the positions. coverage: what was seen as a share of open interest. Grain: one bin of a coin at a time.
CREATE TABLE IF NOT EXISTS hl_liquidation_levels (
  chain LowCardinality(String), coin LowCardinality(String), time DateTime('UTC'), side Enum8('long' = 1, 'short' = 2), px Float64, distance Float64, usd Float64, accounts UInt32, coverage Nullable(Float64)
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, coin, px)
SETTINGS non_replicated_deduplication_window = 10000;

-- What is known of a coin at a time, every five minutes. Ratios are fractions, flows and book from -1 (sold) to 1 (bought); null: not known. Grain: one coin at one time.
-- rate_z: of the hour's rate against the 30 days before; volume_ratio: of the last hour to the mean of the 20 before; cluster: the largest bin of liquidations within 1.5 %.
-- reconstructed: heard long after it happened, so nobody was told then.
CREATE TABLE IF NOT EXISTS hl_features (
  chain LowCardinality(String), coin LowCardinality(String), time DateTime('UTC'), px Decimal(38, 18), change_1h Nullable(Float64), change_4h Nullable(Float64), open_interest_usd Nullable(Float64), open_interest_change_4h Nullable(Float64),
  rate Nullable(Float64), rate_4h_ago Nullable(Float64), rate_z Nullable(Float64), rate_hours UInt32, volume_usd Float64, volume_ratio Nullable(Float64), flow Nullable(Float64), whale_flow Nullable(Float64), whale_usd Float64, smart_flow Nullable(Float64), smart_usd Float64,
  ofi Nullable(Float64), book Nullable(Float64), vpin Nullable(Float64), long_liquidated_usd Float64, short_liquidated_usd Float64, cluster_side Enum8('none' = 0, 'long' = 1, 'short' = 2), cluster_distance Nullable(Float64), cluster_usd Float64, cluster_share Nullable(Float64),
  reconstructed Bool
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, coin)
SETTINGS non_replicated_deduplication_window = 10000;

-- What a rule sees at a time, before any version of it has judged. measures: what versions ask a least value of; flow: takers' flow towards the side. Grain: one coin at one time under one rule.
CREATE TABLE IF NOT EXISTS hl_sightings (
  chain LowCardinality(String), kind LowCardinality(String), coin LowCardinality(String), time DateTime('UTC'), side Enum8('none' = 0, 'long' = 1, 'short' = 2), strength Float64, measures Map(String, Float64), detail String, px Decimal(38, 18), reconstructed Bool
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, kind, coin)
SETTINGS non_replicated_deduplication_window = 10000;

-- Versions of rules. least: measures that must be at least so large. The same signal is not given again within cooldown. Entered at the first trade latency after the signal, left at the stop, the target,
-- the horizon or when the rule says the opposite. fee, slip: basis points of each side. archived: given up; its signals go on and are told only to who asks, so that losers are judged as well.
-- kind 'bars': numbers of the bars. Grain: one version of one rule; version '' for what is not judged by versions.
CREATE TABLE IF NOT EXISTS hl_signal_rules (
  kind LowCardinality(String), version LowCardinality(String), description String, archived Bool, least Map(String, Float64), cooldown_minutes UInt32, latency_seconds UInt32, horizon_minutes UInt32, stop Float64, target Float64,
  fee_bps Float64, slip_bps Float64, quantity_usd Float64, revision UInt64
) ENGINE = ReplacingMergeTree(revision) ORDER BY (kind, version);

-- A signal as it was given, with the terms it will be accounted by. Written once. baseline: drawn by chance to be held against the signal in matched: same coin, terms and hours, a time and a side by lot.
-- id: hash of what, when and for which side. px: the last price known then. Grain: one signal.
CREATE TABLE IF NOT EXISTS hl_signals (
  chain LowCardinality(String), id FixedString(32), kind LowCardinality(String), version LowCardinality(String), coin LowCardinality(String), time DateTime('UTC'), side Enum8('none' = 0, 'long' = 1, 'short' = 2), strength Float64, measures Map(String, Float64), detail String,
  px Decimal(38, 18), reconstructed Bool, baseline Bool, matched FixedString(32), latency_seconds UInt32, horizon_minutes UInt32, stop Float64, target Float64, fee_bps Float64, slip_bps Float64, quantity_usd Float64, through UInt64
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, kind, coin, version, id)
SETTINGS non_replicated_deduplication_window = 10000;

-- What became of a signal, written once when it is over. Prices are those of the tape; pnl is what the quantity made after fees, slippage and funding. mae, mfe: worst and best on the way, of the entry.
-- entry_at is null where nobody traded in time: then nothing was made and it counts in no result. Grain: one signal that is over.
CREATE TABLE IF NOT EXISTS hl_outcomes (
  chain LowCardinality(String), id FixedString(32), kind LowCardinality(String), version LowCardinality(String), coin LowCardinality(String), time DateTime('UTC'), side Enum8('none' = 0, 'long' = 1, 'short' = 2), baseline Bool,
  entry_at Nullable(DateTime('UTC')), entry_px Nullable(Decimal(38, 18)), exit_at DateTime('UTC'), exit_px Nullable(Decimal(38, 18)), reason Enum8('target' = 1, 'stop' = 2, 'horizon' = 3, 'reverse' = 4, 'manual' = 5),
  gross_usd Nullable(Float64), fee_usd Nullable(Float64), slip_usd Nullable(Float64), funding_usd Nullable(Float64), pnl_usd Nullable(Float64), mae Nullable(Float64), mfe Nullable(Float64), known_until DateTime('UTC')
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, kind, coin, version, id)
SETTINGS non_replicated_deduplication_window = 10000;

-- What signals under way are worth by now, as of the last run (known_until): as if left at the last price, after all costs. Grain: one signal in one run. Those of older runs say nothing.
CREATE TABLE IF NOT EXISTS hl_marks (
  chain LowCardinality(String), known_until DateTime('UTC'), id FixedString(32), kind LowCardinality(String), version LowCardinality(String), baseline Bool, entry_at Nullable(DateTime('UTC')), entry_px Nullable(Decimal(38, 18)), mark_px Nullable(Decimal(38, 18)), pnl_usd Nullable(Float64)
) ENGINE = MergeTree ORDER BY (chain, known_until, id) TTL known_until + INTERVAL 400 DAY
SETTINGS non_replicated_deduplication_window = 10000;

-- How versions of rules did, and what was drawn by lot beside them, as of a run. part: all that is over; train: over before split_at; test: given after it. Losers stand here as winners do.
-- low, high: 95 % of the mean by 200 drawings with replacement; sharpe: of single signals, unknown below 20; drawdown: of the sum, in dollars. Grain: one version of one rule, or its lots, in one part at one time.
CREATE TABLE IF NOT EXISTS hl_results (
  chain LowCardinality(String), known_until DateTime('UTC'), kind LowCardinality(String), version LowCardinality(String), baseline Bool, part Enum8('all' = 1, 'train' = 2, 'test' = 3), split_at DateTime('UTC'), since DateTime('UTC'), closed UInt32, unfilled UInt32, reconstructed UInt32, wins UInt32,
  pnl_usd Float64, mean_bps Nullable(Float64), low_bps Nullable(Float64), high_bps Nullable(Float64), profit_factor Nullable(Float64), sharpe Nullable(Float64), drawdown_usd Float64, open UInt32, open_pnl_usd Float64
) ENGINE = MergeTree ORDER BY (chain, known_until, kind, version, baseline, part)
SETTINGS non_replicated_deduplication_window = 10000;

-- Funding by the full hour: the rate the venue listed, else the one its context said last in the hour before. Grain: one coin, its hours as (hour, rate). since, until: Unix seconds; through: the last segment that counts.
CREATE VIEW IF NOT EXISTS hl_hour_rates AS
SELECT coin, groupArray((hour, rate)) AS hours FROM (
  SELECT coin, hour, argMin(rate, place) AS rate FROM (
    SELECT toString(b.coin) AS coin, toStartOfHour(b.start) + INTERVAL 1 HOUR AS hour, toFloat64(argMax(assumeNotNull(b.rate), b.start)) AS rate, 2 AS place FROM hl_bars AS b
    WHERE b.chain = {chain:String} AND b.start >= toDateTime({since:UInt32}, 'UTC') AND b.start < toDateTime({until:UInt32}, 'UTC') AND b.rate IS NOT NULL GROUP BY coin, hour
    UNION ALL
    SELECT toString(r.coin), toStartOfHour(r.time), toFloat64(r.rate), 1 FROM hl_funding_rates AS r
    WHERE r.chain = {chain:String} AND r.market = 'perp' AND r.block_number <= {through:UInt64} AND r.time >= toDateTime({since:UInt32}, 'UTC') AND r.time < toDateTime({until:UInt32}, 'UTC')
  ) GROUP BY coin, hour
) GROUP BY coin;

-- Alerts of the venue. basis: what the venue said, or what was worked out; the two are never added up. kind: liquidation and adl (confirmed), liquidation_near (estimated), copy_trade. side: of the position. Grain: one event.
CREATE TABLE IF NOT EXISTS hl_alerts (
  chain LowCardinality(String), id FixedString(32), kind LowCardinality(String), basis Enum8('confirmed' = 1, 'estimated' = 2), severity LowCardinality(String), score Float64, coin LowCardinality(String), side Enum8('none' = 0, 'long' = 1, 'short' = 2), account FixedString(20), px Decimal(38, 18), value_usd Float64,
  time DateTime64(3, 'UTC'), hash FixedString(32), tid UInt64, summary String, detail String, block_number UInt64, generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, id)
SETTINGS non_replicated_deduplication_window = 10000;

-- Alerts of what happened stand among those of all chains too; estimates do not.
CREATE MATERIALIZED VIEW IF NOT EXISTS hl_alerts_listed TO alerts AS
SELECT id, chain, kind AS rule, 1 AS rule_version, severity, block_number, toFixedString('', 32) AS block_hash, time AS block_time, hash AS tx_hash, 0 AS position, summary, toNullable(value_usd) AS value_usd, toUInt256(0) AS amount, toFixedString('', 20) AS token,
  account AS from_address, toFixedString('', 20) AS to_address, false AS retracted, generation, toUInt64(generation) * 2 AS version
FROM hl_alerts WHERE basis = 'confirmed';

INSERT INTO hl_signal_rules (kind, version, description, archived, least, cooldown_minutes, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd, revision) VALUES
  ('bars', '', 'whale_usd: size from which a trade is a whale''s. recorded_minutes: heard so much later than it happened, it is a recording. settle_seconds: a recording is looked at so long after its last part was heard. Leaders: so many, by the profit of so many days, with so much volume. near, imminent: distance to a liquidation price. train_share: of what is over, by time. leader: what an account must have made in so many days, by so many closing fills, of which so many gain, before its new positions are told.', false,
    map('whale_usd', 100000, 'recorded_minutes', 10, 'settle_seconds', 60, 'smart_accounts', 100, 'smart_days', 30, 'smart_usd', 5000000, 'near', 0.0025, 'imminent', 0.00125, 'train_share', 0.7, 'leader_days', 30, 'leader_usd', 50000, 'leader_closings', 20, 'leader_wins', 0.5), 0, 0, 0, 0, 0, 0, 0, 0, 0);

-- Every rule in five versions. v3: thresholds as they were set first. v4: stop and target half as far (archived). v5: thresholds half as high again.
-- v6: v3, and takers of the last hour trade towards the side (archived). v7: thresholds a quarter higher, and takers as in v6.
INSERT INTO hl_signal_rules (kind, version, description, archived, least, cooldown_minutes, latency_seconds, horizon_minutes, stop, target, fee_bps, slip_bps, quantity_usd, revision)
SELECT r.1, v.1, concat(r.2, v.2), v.3, mapUpdate(mapApply((name, value) -> (name, value * v.4), r.3), if(v.5 > 0, map('flow', v.5), map())), r.4, 60, r.4, r.5 * v.6, r.5 * v.6, 4.5, 2, 1000, 0
FROM (SELECT arrayJoin([
  ('funding_extreme', 'Against the side that pays unusual funding', map('z', 2, 'hours', 168), 480, 0.03),
  ('open_interest', 'With the price while open interest grows; without a side where it shrinks', map('move', 0.01, 'open_interest', 0.02), 240, 0.02),
  ('bearish_divergence', 'Short where open interest and volume grow into a falling price and funding turns negative', map('fall', 0.01, 'open_interest', 0.02, 'volume', 1), 240, 0.02),
  ('whale_flow', 'With takers of large trades', map('share', 0.3, 'usd', 500000), 60, 0.01),
  ('trade_imbalance', 'With takers of all trades', map('share', 0.3, 'usd', 1000000), 60, 0.01),
  ('order_flow', 'With the flow of orders at the best prices', map('share', 0.3, 'usd', 1000000), 30, 0.005),
  ('toxic_flow', 'One side takes most of the volume (VPIN); without a side', map('vpin', 0.4), 60, 0.01),
  ('liquidation_cluster', 'Towards the largest estimated cluster of liquidations within 1.5 %', map('share', 0.005, 'usd', 1000000), 240, 0.02),
  ('cascade_setup', 'Towards a cluster of liquidations of the crowded side, with high funding and growing open interest', map('rate_8h', 0.0005, 'open_interest', 0.02, 'usd', 1000000), 240, 0.03),
  ('smart_money', 'With the accounts that led the 30 days before', map('share', 0.5, 'usd', 250000), 240, 0.02)]) AS r) AS rules
CROSS JOIN (SELECT arrayJoin([('v3', '', false, 1., 0., 1.), ('v4', ', stop and target half as far', true, 1., 0., 0.5), ('v5', ', thresholds half as high again', false, 1.5, 0., 1.),
  ('v6', ', takers agree', true, 1., 0.1, 1.), ('v7', ', thresholds a quarter higher and takers agree', false, 1.25, 0.1, 1.)]) AS v) AS versions;

INSERT INTO alert_thresholds (rule, chain, threshold, unit, severity, version) VALUES ('liquidation', 'HL', 100000, 'usd', 'medium', 0), ('adl', 'HL', 100000, 'usd', 'medium', 0), ('liquidation_near', 'HL', 100000, 'usd', 'low', 0), ('copy_trade', 'HL', 50000, 'usd', 'low', 0);
