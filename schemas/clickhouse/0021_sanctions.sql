-- The sanctions lists: what was loaded when, what they said, and what changed between their versions.

-- Loads of sanctions lists, with those that were refused. Grain: one attempt. version grows with time (milliseconds since 1970); content names the listings (designations)
-- that are in force from then on, '' where an attempt brought none. status: 'accepted' (new content), 'unchanged' (seen again as it was), 'refused' (shrank, lost a canary, or is
-- another list) or 'failed' (not to be had or not to be read): after the last two the content before stays in force. list_version and published_at are the list's own words;
-- current_at is when the list was known to be the newest: the moment of asking the official address, or for a bundled copy the day it was published. sha256 is of the bytes.
CREATE TABLE IF NOT EXISTS sanctions_loads (
  register LowCardinality(String), version UInt64, status LowCardinality(String), content String, list_version String, sha256 String, source String, published_at Nullable(DateTime64(3, 'UTC')),
  current_at DateTime64(3, 'UTC'), entries UInt32, addresses UInt32, unreadable UInt32, reason String, loaded_at DateTime64(6, 'UTC')
) ENGINE = MergeTree ORDER BY (register, version)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- What a new content of a list added and removed, against the content before. Grain: one listing of one address under one asset in one version. key is the address by which it is
-- screened, in lower case; address is as the list writes it; change is 'added' or 'removed'; at is when the row was written, after the version was in force. All of a first version is added.
CREATE TABLE IF NOT EXISTS sanctions_changes (
  at DateTime64(3, 'UTC'), register LowCardinality(String), version UInt64, list_version String, asset LowCardinality(String), key String, address String, chain LowCardinality(String),
  list_id String, entity_name String, change LowCardinality(String)
) ENGINE = MergeTree ORDER BY (at, register, version, key)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;
