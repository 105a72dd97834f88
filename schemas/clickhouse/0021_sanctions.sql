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

-- What a content of a list says of addresses; contents stay for ever. Grain: one listing of one address under one ticker in one content of one register. key is the address in lower case, by which
-- it is screened, and also are keys of other texts of the same key or script; address is as the list writes it. chain is that of the address's form, '' where the form does not tell. repaired says what
-- was mended in it, unreadable why it is in no form of an address ('' otherwise): such a one is found by its text alone. register: OFAC_SDN, UK_HMT, IL_NBCTF, JP_MOF.
CREATE TABLE IF NOT EXISTS designations (
  register LowCardinality(String), content String, key String, list_id String, ticker LowCardinality(String), address String, also Array(String), chain LowCardinality(String), repaired LowCardinality(String), unreadable String,
  entity_name String, programme String, designating_authority LowCardinality(String), aggregator LowCardinality(String), listed_on Nullable(Date32), ends_on Nullable(Date32), confidence Float64
) ENGINE = ReplacingMergeTree ORDER BY (register, content, key, list_id, ticker, address)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;

-- The load of each list that is in force. Grain: one register; version is that of the newest look at it.
CREATE VIEW IF NOT EXISTS sanctions_in_force AS
SELECT register, argMax(l.content, l.version) AS content, max(l.version) AS version, argMax(l.list_version, l.version) AS list_version, argMax(l.sha256, l.version) AS sha256, argMax(l.source, l.version) AS source,
  argMax(l.published_at, l.version) AS published_at, argMax(l.current_at, l.version) AS current_at, argMax(l.entries, l.version) AS entries, argMax(l.addresses, l.version) AS addresses, argMax(l.unreadable, l.version) AS unreadable,
  argMax(l.loaded_at, l.version) AS loaded_at
FROM sanctions_loads AS l WHERE l.status IN ('accepted', 'unchanged') GROUP BY register;

-- Listings that stand now, of one content of each list. Grain: as designations.
CREATE VIEW IF NOT EXISTS designations_now AS
SELECT d.* FROM designations AS d FINAL WHERE (d.register, d.content) IN (SELECT f.register, f.content FROM sanctions_in_force AS f);

-- Since when and until when a list names an address. Grain: one stay of one listing. valid_from and valid_to are versions of the list (sanctions_loads): the first that names it, and the first
-- after that which does not; 0: it is named still.
CREATE VIEW IF NOT EXISTS designation_history AS
SELECT register, key, list_id, asset, any(address) AS address, min(s.from_version) AS valid_from, s.until AS valid_to, min(s.since) AS valid_from_at, max(s.ended) AS valid_to_at
FROM (
  SELECT c.register AS register, c.key AS key, c.list_id AS list_id, c.asset AS asset, c.address AS address, c.version AS from_version, c.at AS since, c.change AS change,
    minIf(c.version, c.change = 'removed') OVER later AS until, minIf(c.at, c.change = 'removed') OVER later AS ended
  FROM sanctions_changes AS c
  WINDOW later AS (PARTITION BY c.register, c.key, c.list_id, c.asset ORDER BY c.version ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
) AS s
WHERE s.change = 'added' GROUP BY register, key, list_id, asset, valid_to;
