-- Keys, audit, incidents, logs: the control plane. Keys, revocations and the audit log are synced to disk.

-- Access keys. The key itself is never stored, only SHA-256 of it. Grain: the newest version of a key id counts; that of a revocation is above
-- all others. account: the account the key belongs to, '' for a key of its own. lineage: the key it goes back to by exchanges, itself where
-- none; quota: whose requests it is counted with. origin: instant, named, exchange or operator.
CREATE TABLE IF NOT EXISTS access_keys (
  id UInt64, public_id String, secret_hash FixedString(32), name String, role LowCardinality(String), tier LowCardinality(String),
  origin LowCardinality(String), account String, lineage String, quota String, rate_limit UInt32, daily_cap UInt64, scopes Array(String), source_ip String, created_at DateTime64(3, 'UTC'),
  expires_at DateTime64(3, 'UTC'), revoked_at Nullable(DateTime64(3, 'UTC')), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY public_id
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- When keys were last used, to about a minute. Grain: one sighting of a key by one process; the newest counts.
CREATE TABLE IF NOT EXISTS key_uses (
  public_id String, at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(at) ORDER BY public_id;

-- Secrets the service made for itself (the key that signs cursors). Grain: one secret; the first writer of a name wins by its insert token.
CREATE TABLE IF NOT EXISTS secrets (
  name String, value String, created_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY name
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Who did what. Grain: one write by a caller or an operator.
CREATE TABLE IF NOT EXISTS audit (
  at DateTime64(3, 'UTC'), actor String, role LowCardinality(String), action LowCardinality(String), subject String,
  detail String, request_id String, outcome LowCardinality(String)
) ENGINE = MergeTree ORDER BY at
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Things an operator must see (a deep reorg, a lying endpoint, an orphan swept). Grain: the newest row of an id counts.
CREATE TABLE IF NOT EXISTS incidents (
  id String, chain LowCardinality(String), kind LowCardinality(String), severity LowCardinality(String), summary String,
  detail String, opened_at DateTime64(3, 'UTC'), closed_at Nullable(DateTime64(3, 'UTC')), at DateTime64(6, 'UTC')
) ENGINE = ReplacingMergeTree(at) ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- What a key's owner wrote about events and, where address is not '', about addresses. Grain: the newest version of (key_id, tag_id) counts.
CREATE TABLE IF NOT EXISTS tags (
  key_id String, tag_id UInt64, event_id String, label String, note String, chain LowCardinality(String), address String,
  created_at DateTime64(3, 'UTC'), deleted Bool, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (key_id, tag_id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Who wants to be told when there is more. Grain: one e-mail address; it is never logged and never given out.
CREATE TABLE IF NOT EXISTS waitlist (
  email String, joined_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree ORDER BY email
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- The services' own log lines. Grain: one line.
CREATE TABLE IF NOT EXISTS logs_service (
  at DateTime64(3, 'UTC'), id UUID DEFAULT generateUUIDv4(), level LowCardinality(String), service LowCardinality(String),
  message String, trace_id String, stage LowCardinality(String), chain LowCardinality(String), batch String, metadata String
) ENGINE = MergeTree ORDER BY (at, level) TTL toDateTime(at) + INTERVAL 14 DAY;
