-- What is said about addresses, how sure it is, and every change of it in order: by registers and imports, and by rules that derive classes.

-- How sure a statement is. Grain: one level; score orders levels, equal scores are of equal weight.
CREATE TABLE IF NOT EXISTS confidence_levels (
  level LowCardinality(String), score UInt8, place UInt8, meaning String
) ENGINE = ReplacingMergeTree ORDER BY level;

INSERT INTO confidence_levels (level, score, place, meaning) VALUES
  ('ownership', 100, 1, 'The owner of the address says so and proves it'), ('override', 100, 2, 'Set by hand in this installation, against any other source'),
  ('ledger_immanent', 100, 3, 'Read off the ledger itself: anybody can check it there'), ('manual_transaction', 90, 4, 'Seen in a transaction with the service that was made for this'),
  ('service_api', 70, 5, 'Told by the service through its interface'), ('forensic_investigation', 70, 6, 'Found in an investigation whose evidence is on file'),
  ('authority_data', 60, 7, 'Published by an authority'), ('trusted_provider', 50, 8, 'Told by a provider of data that is trusted'), ('service_data', 50, 9, 'Published by the service itself'),
  ('forensic', 50, 10, 'Published by an investigator'), ('untrusted_transaction', 40, 11, 'Seen in a transaction that somebody else reports'), ('web_crawl', 20, 12, 'Read from pages of the web'),
  ('heuristic', 10, 13, 'Inferred by a rule that may be wrong'), ('unknown', 5, 14, 'The source does not say how it knows');

-- level: '' where a source gave a number only. valid_to: until when the statement held, null while it does. reference: where the source says so (text of strangers).
ALTER TABLE labels ADD COLUMN IF NOT EXISTS level LowCardinality(String) DEFAULT '', ADD COLUMN IF NOT EXISTS rule_version UInt16 DEFAULT 1,
  ADD COLUMN IF NOT EXISTS valid_to Nullable(DateTime64(3, 'UTC')), ADD COLUMN IF NOT EXISTS reference String DEFAULT '';

-- Runs that compare what is said now (on every chain, and by the rules of one) with what was said before. Grain: one step of one run; a version that is begun is its writer's alone,
-- and readers of changes follow only versions that have landed. basis: what a run saw; an equal basis has nothing new.
CREATE TABLE IF NOT EXISTS label_runs (
  chain LowCardinality(String), version UInt64, step Enum8('begun' = 1, 'landed' = 2), attempt UInt32, writer String, height UInt64, epoch UInt32, basis String, changes UInt64, at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (version, step)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- What the rules find in one run. Grain: one label; emptied when the run has landed.
-- examples: rows of the ledger it rests on; facts: the numbers the rule looked at.
CREATE TABLE IF NOT EXISTS label_candidates (
  version UInt64, chain LowCardinality(String), address String, label String, entity String, category LowCardinality(String), rule LowCardinality(String), rule_version UInt16, level LowCardinality(String),
  valid_from DateTime64(3, 'UTC'), evidence_rows UInt64, first_block UInt64, last_block UInt64, value_usd Nullable(Float64),
  examples Array(Tuple(block_number UInt64, tx_hash FixedString(32), position UInt32)), facts Map(String, String)
) ENGINE = MergeTree PARTITION BY version ORDER BY (chain, address, label)
SETTINGS non_replicated_deduplication_window = 1000;

-- Every change of every statement about an address. Grain: one change of (chain, address, source, label); the newest version counts.
-- source is a register, an import, or 'rules'; at: since when this installation knows it; valid_from, valid_to: when it held on the chain.
-- height, epoch: the newest block and the deletions of blocks the rule had seen; evidence_rows and what follows are of that height.
CREATE TABLE IF NOT EXISTS label_changes (
  chain LowCardinality(String), address String, source LowCardinality(String), label String, version UInt64, action Enum8('added' = 1, 'changed' = 2, 'removed' = 3), at DateTime64(3, 'UTC'),
  entity String, category LowCardinality(String), rule LowCardinality(String), rule_version UInt16, level LowCardinality(String), confidence UInt8, licence LowCardinality(String), reference String,
  valid_from DateTime64(3, 'UTC'), valid_to Nullable(DateTime64(3, 'UTC')), height UInt64, epoch UInt32, evidence_rows UInt64, first_block UInt64, last_block UInt64, value_usd Nullable(Float64),
  examples Array(Tuple(block_number UInt64, tx_hash FixedString(32), position UInt32)), facts Map(String, String),
  PROJECTION by_version (SELECT * ORDER BY version, chain, address, source, label)
) ENGINE = MergeTree ORDER BY (chain, address, source, label, version)
SETTINGS non_replicated_deduplication_window = 1000;

-- Derived labels as they stand. Grain: one (chain, address, label) of source 'rules'. A label whose evidence reaches into blocks that were deleted
-- after it was derived is cut: it does not count until a rule finds it again. Narrow it by chain and address: that is the sort key.
CREATE VIEW IF NOT EXISTS derived_labels AS
SELECT chain, address, label, entity, category, rule, rule_version, level, confidence, valid_from, at, height, epoch, evidence_rows, first_block, last_block, value_usd, examples, facts,
  arrayExists(deleted -> deleted.1 = chain AND deleted.2 > epoch AND deleted.3 <= last_block, (SELECT groupArray((toString(d.chain), d.epoch, d.from_block)) FROM rollbacks_applied AS d WHERE d.step = 'deleted')) AS cut
FROM (
  SELECT c.chain AS chain, c.address AS address, c.label AS label,
    argMax((c.action, c.entity, c.category, c.rule, c.rule_version, c.level, c.confidence, c.valid_from, c.at, c.height, c.epoch, c.evidence_rows, c.first_block, c.last_block, c.value_usd, c.examples, c.facts), c.version) AS s,
    s.2 AS entity, s.3 AS category, s.4 AS rule, s.5 AS rule_version, s.6 AS level, s.7 AS confidence, s.8 AS valid_from, s.9 AS at, s.10 AS height, s.11 AS epoch, s.12 AS evidence_rows,
    s.13 AS first_block, s.14 AS last_block, s.15 AS value_usd, s.16 AS examples, s.17 AS facts
  FROM label_changes AS c WHERE c.source = 'rules' GROUP BY chain, address, label HAVING s.1 != 'removed'
);
