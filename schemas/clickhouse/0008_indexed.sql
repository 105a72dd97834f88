-- What index derives. Aggregates are recomputed per touched segment of blocks (never incremented): a row holds the sums of one
-- (hour, segment, key), the newest version wins, and readers go through the *_hours and *_days views.
-- version = 2^32 * (deletions so far) + batches of the segment enriched so far: a later view of a segment always wins.
-- Sums of amounts leave out what oversized counts: amounts from 2^200 on, as tokens of strangers emit them.
-- Dollars are millionths, summed exactly: the order in which rows are added changes nothing.

-- Grain: two rows per transfer, one per side, in the order of addresses. direction: 'in' or 'out'. other is the counterparty.
CREATE TABLE IF NOT EXISTS address_transfers (
  chain LowCardinality(String), address FixedString(20), block_number UInt64, kind Enum8('native' = 1, 'internal' = 2, 'withdrawal' = 3, 'erc20' = 4, 'erc721' = 5, 'erc1155' = 6, 'wrap' = 7, 'unwrap' = 8, 'utxo' = 9, 'coinbase' = 10),
  position UInt32, sub UInt32, direction Enum8('in' = 1, 'out' = 2), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), tx_hash FixedString(32),
  token FixedString(20), other FixedString(20), amount UInt256, token_id UInt256, value_usd Nullable(Float64), generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, address, block_number, kind, position, sub, direction)
SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 1024;

CREATE TABLE IF NOT EXISTS token_segments (
  chain LowCardinality(String), hour DateTime('UTC'), segment UInt64, token FixedString(20), transfers UInt64, amount UInt256, oversized UInt64, value_usd Decimal(76, 6), priced_transfers UInt64,
  senders AggregateFunction(uniqCombined64, FixedString(20)), receivers AggregateFunction(uniqCombined64, FixedString(20)), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, hour, token, segment)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS pair_segments (
  chain LowCardinality(String), hour DateTime('UTC'), segment UInt64, token_a FixedString(20), token_b FixedString(20), protocol LowCardinality(String),
  swaps UInt64, amount_a UInt256, amount_b UInt256, oversized UInt64, value_usd Decimal(76, 6), priced_swaps UInt64, traders AggregateFunction(uniqCombined64, FixedString(20)), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, hour, token_a, token_b, protocol, segment)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS class_segments (
  chain LowCardinality(String), hour DateTime('UTC'), segment UInt64, from_class LowCardinality(String), to_class LowCardinality(String), token FixedString(20),
  transfers UInt64, amount UInt256, oversized UInt64, value_usd Decimal(76, 6), priced_transfers UInt64, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, hour, from_class, to_class, token, segment)
SETTINGS non_replicated_deduplication_window = 10000;

-- *_unknown: on Bitcoin, of transactions with an unresolved input, which may be the entity's own: how many, and what it received in them. They are in no other sum.
CREATE TABLE IF NOT EXISTS entity_segments (
  chain LowCardinality(String), hour DateTime('UTC'), segment UInt64, entity LowCardinality(String), token FixedString(20),
  transfers_in UInt64, amount_in UInt256, usd_in Decimal(76, 6), transfers_out UInt64, amount_out UInt256, usd_out Decimal(76, 6), transfers_internal UInt64, amount_internal UInt256, oversized UInt64, version UInt64,
  transfers_unknown UInt64 DEFAULT 0, amount_unknown UInt256 DEFAULT 0, usd_unknown Decimal(76, 6) DEFAULT 0
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, hour, entity, token, segment)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000;

CREATE TABLE IF NOT EXISTS address_segments (
  chain LowCardinality(String), address FixedString(20), hour DateTime('UTC'), segment UInt64,
  transfers_in UInt64, usd_in Decimal(76, 6), transfers_out UInt64, usd_out Decimal(76, 6), first_block UInt64, last_block UInt64,
  first_time DateTime64(3, 'UTC'), last_time DateTime64(3, 'UTC'), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, address, hour, segment)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000;

-- Grain: one segment, with lists of its addresses that moved most dollars, most first: what topWallets.sql counts of each. more: others were left out, of
-- which none moved more than bound. usd_* and bound are millionths. One row holds the whole list, so a later view of the segment replaces all of it.
CREATE TABLE IF NOT EXISTS top_segments (
  chain LowCardinality(String), segment UInt64, addresses Array(FixedString(20)), ins Array(UInt64), outs Array(UInt64), usd_ins Array(Int128), usd_outs Array(Int128),
  firsts Array(DateTime64(3, 'UTC')), lasts Array(DateTime64(3, 'UTC')), more Bool, bound Int128, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, segment)
SETTINGS index_granularity = 16, non_replicated_deduplication_window = 10000;

-- Grain: one English line about one notable event, from an SQL template. value_usd is null while unknown. topic: whale_transfer, swap,
-- exchange_flow, stablecoin, mixer, pool, liquidation, block.
CREATE TABLE IF NOT EXISTS chunks (
  chain LowCardinality(String), block_number UInt64, topic LowCardinality(String), chunk_id FixedString(32), block_hash FixedString(32), block_time DateTime64(3, 'UTC'),
  tx_hash FixedString(32), position UInt32, text String, value_usd Nullable(Float64), addresses Array(String), generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, topic, position, chunk_id)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one event that a rule named. id is a hash of rule, chain, block hash, transaction and position: the same event has the
-- same id for ever. version = 2 * generation + (1 if retracted): the newest version counts.
CREATE TABLE IF NOT EXISTS alerts (
  id FixedString(32), chain LowCardinality(String), rule LowCardinality(String), rule_version UInt16, severity LowCardinality(String), block_number UInt64, block_hash FixedString(32),
  block_time DateTime64(3, 'UTC'), tx_hash FixedString(32), position UInt32, summary String, value_usd Nullable(Float64), amount UInt256, token FixedString(20),
  from_address FixedString(20), to_address FixedString(20), retracted Bool, generation UInt32, version UInt64
) ENGINE = ReplacingMergeTree(version) PARTITION BY chain ORDER BY (chain, block_number, id)
SETTINGS non_replicated_deduplication_window = 10000;

-- From which value on a rule speaks. Grain: one rule on one chain; unit is usd or none.
CREATE TABLE IF NOT EXISTS alert_thresholds (
  rule LowCardinality(String), chain LowCardinality(String), threshold Float64, unit LowCardinality(String), severity LowCardinality(String), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (rule, chain);

INSERT INTO alert_thresholds (rule, chain, threshold, unit, severity, version) VALUES
  ('whale_transfer', 'ETH', 1000000, 'usd', 'medium', 0), ('exchange_inflow', 'ETH', 500000, 'usd', 'medium', 0), ('exchange_outflow', 'ETH', 500000, 'usd', 'medium', 0),
  ('stablecoin_mint', 'ETH', 1000000, 'usd', 'medium', 0), ('stablecoin_burn', 'ETH', 1000000, 'usd', 'medium', 0), ('stablecoin_freeze', 'ETH', 0, 'usd', 'high', 0),
  ('mixer_use', 'ETH', 0, 'usd', 'high', 0), ('new_pool', 'ETH', 0, 'none', 'low', 0), ('liquidation', 'ETH', 0, 'usd', 'medium', 0);
