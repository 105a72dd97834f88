-- What a made market is worked out in, where nothing of it is the product's. Every name begins with made_. Grain: of each table its own.
CREATE TABLE made_coins (c UInt8, coin String, base Float64, sd UInt8, pd UInt8, max_leverage UInt8, swing Float64) ENGINE = Memory;
CREATE TABLE made_prices (k UInt32, px Float64) ENGINE = Join(ANY, LEFT, k);
CREATE TABLE made_traders (trader UInt32, account FixedString(20), role LowCardinality(String), style LowCardinality(String), equity Float64, leverage UInt8, notional Float64, slot UInt32, lanes UInt8, hold_min UInt32, hold_max UInt32, tries UInt8, right Float64, cut UInt32) ENGINE = Memory;
CREATE TABLE made_trips (trader UInt32, lane UInt8, nth UInt32, c UInt8, dir Int8, lots Int64, leverage UInt8, start UInt32, end UInt32, opens Array(Tuple(UInt32, Int64)), closes Array(Tuple(UInt32, Int64)), bust Bool, draw UInt64) ENGINE = MergeTree ORDER BY (trader, lane, nth);
CREATE TABLE made_trades (seq UInt64, at DateTime64(3, 'UTC'), c UInt8, px Int64, lots Int64, side Int8, taker UInt32, maker UInt32, oid UInt64, maker_oid UInt64, bust Bool, mark Float64) ENGINE = MergeTree ORDER BY seq;
CREATE TABLE made_fills (seq UInt64, at DateTime64(3, 'UTC'), c UInt8, trader UInt32, crossed Bool, q Int64, before Int64, px Int64, dir LowCardinality(String), closed_pnl Decimal(38, 6), fee Decimal(38, 6), entry Float64, oid UInt64, taker UInt32, maker UInt32, forced Bool, mark Float64) ENGINE = MergeTree ORDER BY (at, seq, crossed);
CREATE TABLE made_rates (c UInt8, hour UInt32, rate Decimal(38, 10), premium Decimal(38, 10), oracle Decimal(38, 6)) ENGINE = MergeTree ORDER BY (c, hour);
CREATE TABLE made_payments (trader UInt32, c UInt8, hour UInt32, szi Int64, usdc Decimal(38, 6), rate Decimal(38, 10)) ENGINE = MergeTree ORDER BY (trader, hour, c);
CREATE TABLE made_flows (trader UInt32, at DateTime64(3, 'UTC'), kind LowCardinality(String), usdc Decimal(38, 6)) ENGINE = MergeTree ORDER BY (trader, at);
CREATE TABLE made_said (at DateTime64(3, 'UTC'), kind LowCardinality(String), request String, payload String) ENGINE = MergeTree ORDER BY (at, kind, request)
