-- Continuous monitoring: what keys watch, what was told of it, whom it is sent to. Lists, feed and messages are synced to disk.

-- Lists of watched addresses. Grain: the newest version of (owner, list_id) counts; owner is the key it belongs to. Transfers that are known to be worth less than min_usd are not told.
CREATE TABLE IF NOT EXISTS watch_lists (
  owner String, list_id String, name String, min_usd Float64, created_at DateTime64(3, 'UTC'), deleted Bool, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (owner, list_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Their addresses. Grain: the newest version of (owner, list_id, key) counts. key is the address in lower case, by which it is screened; base is the key that all texts of the same key or script share; chain is '' where its form is of no chain that
-- is followed, and id (the address in tables of movements) is then zero.
CREATE TABLE IF NOT EXISTS watched_addresses (
  owner String, list_id String, key String, base String DEFAULT key, address String, chain LowCardinality(String),
  id FixedString(20) DEFAULT multiIf(chain = 'ETH', unhex(substring(address, 3)), chain = 'BTC', substring(SHA256(address), 1, 20), ''), added_at DateTime64(6, 'UTC'), removed Bool, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (owner, list_id, key)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Owners for whom is watched and sent: those with a key that is good and of a tier that has monitoring. Grain: one owner.
CREATE VIEW IF NOT EXISTS watching_owners AS
SELECT DISTINCT k.lineage AS owner FROM access_keys AS k FINAL WHERE k.revoked_at IS NULL AND k.expires_at > now64(3) AND k.tier IN ('compliance', 'enterprise');

-- Addresses that are watched now. Grain: one address in one list.
CREATE VIEW IF NOT EXISTS watched_now AS
SELECT a.owner AS owner, a.list_id AS list_id, a.key AS key, a.base AS base, a.address AS address, a.chain AS chain, a.id AS id, a.added_at AS added_at, l.min_usd AS min_usd
FROM (SELECT * FROM watched_addresses FINAL WHERE NOT removed) AS a
INNER JOIN (SELECT * FROM watch_lists FINAL WHERE NOT deleted AND owner IN (SELECT owner FROM watching_owners)) AS l ON l.owner = a.owner AND l.list_id = a.list_id;

-- Transfers of addresses that were watched when they came. Grain: one watched side of one transfer. What it holds hangs on who watched then: it is rolled back like other
-- facts, and no part of the state digest. other_* as known then.
CREATE TABLE IF NOT EXISTS watched_transfers (
  chain LowCardinality(String), block_number UInt64, address FixedString(20), kind LowCardinality(String), position UInt32, sub UInt32, direction Enum8('in' = 1, 'out' = 2), block_hash FixedString(32),
  block_time DateTime64(3, 'UTC'), tx_hash FixedString(32), token FixedString(20), token_symbol LowCardinality(String), token_decimals Nullable(UInt8), other FixedString(20), other_label String,
  other_class LowCardinality(String), amount UInt256, token_id UInt256, value_usd Nullable(Float64), generation UInt32, landed_at DateTime64(6, 'UTC') DEFAULT now64(6),
  INDEX by_landing landed_at TYPE minmax GRANULARITY 1
) ENGINE = MergeTree PARTITION BY chain ORDER BY (chain, block_number, address, kind, position, sub, direction)
SETTINGS non_replicated_deduplication_window = 10000;

-- The feed: what was told of watched addresses, never changed. Grain: one event; seq orders all of them, one writer each (the insert token is a compare-and-set). A transfer that a reorg took
-- away is told again as 'retracted', under the same alert_id. listed, delisted: what a sanctions list said of the address, with the list's version.
CREATE TABLE IF NOT EXISTS watch_alerts (
  owner String, seq UInt64, alert_id FixedString(32), list_id String, event Enum8('transfer' = 1, 'retracted' = 2, 'listed' = 3, 'delisted' = 4), severity LowCardinality(String),
  chain LowCardinality(String), address String, block_number UInt64, block_hash FixedString(32), block_time DateTime64(3, 'UTC'), tx_hash FixedString(32), direction LowCardinality(String), kind LowCardinality(String),
  token FixedString(20), token_symbol LowCardinality(String), token_decimals Nullable(UInt8), amount UInt256, token_id UInt256, value_usd Nullable(Float64), other String, other_label String, other_class LowCardinality(String),
  register LowCardinality(String), list_version String, entry_id String, entity_name String, landed_at DateTime64(6, 'UTC'), at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (owner, seq)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Where alerts are sent. Grain: the newest version of (owner, webhook_id) counts. list_ids: [] for all. The secret is derived from the service's own and secret_no; that before it is good
-- until previous_until. state: active, or disabled with the reason. Alerts above from_seq are sent.
CREATE TABLE IF NOT EXISTS webhooks (
  owner String, webhook_id String, url String, list_ids Array(String), secret_no UInt32, previous_until DateTime64(3, 'UTC'), state LowCardinality(String), reason String, from_seq UInt64,
  created_at DateTime64(3, 'UTC'), deleted Bool, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (owner, webhook_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Messages to webhooks, never changed. Grain: one message, with the exact text that is sent; alerts above from_seq up to to_seq are in it.
CREATE TABLE IF NOT EXISTS webhook_messages (
  webhook_id String, owner String, from_seq UInt64, to_seq UInt64, message_id String, alerts UInt32, body String CODEC(ZSTD(3)), created_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (webhook_id, from_seq)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- What became of them. Grain: one attempt; the one with the highest number says how a message stands: delivered, failed (tried again at next_at), dead or cancelled.
CREATE TABLE IF NOT EXISTS webhook_attempts (
  webhook_id String, message_id String, attempt UInt32, outcome Enum8('delivered' = 1, 'failed' = 2, 'dead' = 3, 'cancelled' = 4), status UInt16, error String, milliseconds UInt32,
  next_at DateTime64(3, 'UTC'), at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (webhook_id, message_id, attempt)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
