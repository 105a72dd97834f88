-- The ledger: what is wanted, what was planned, what landed, what the node says. Every insert is synced to disk.

-- One range somebody wants, for ever (the follower's range has no end: to_block is the largest UInt64). Grain: one request.
CREATE TABLE IF NOT EXISTS targets (
  chain LowCardinality(String), id String, kind Enum8('follow' = 1, 'backfill' = 2),
  from_block UInt64, to_block UInt64, requested_by String, requested_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (chain, from_block, id)
SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;

-- The plan: an append-only log per chain, one writer per seq (the insert token of a seq is a compare-and-set, so two planners
-- never both win it). 'plan' rows cut wanted blocks into batches that never overlap while live; a 'rollback' row ends every
-- earlier batch that reaches from_block or above, and gives what is planned after it a higher generation.
CREATE TABLE IF NOT EXISTS plans (
  chain LowCardinality(String), seq UInt64, kind Enum8('plan' = 1, 'rollback' = 2),
  from_block UInt64, to_block UInt64, hash String, parent_hash String, generation UInt32,
  target String, floor UInt64, writer String, at DateTime64(3, 'UTC'),
  INDEX by_from from_block TYPE minmax GRANULARITY 1, INDEX by_to to_block TYPE minmax GRANULARITY 1
) ENGINE = MergeTree ORDER BY (chain, seq, from_block)
SETTINGS non_replicated_deduplication_window = 1000000, fsync_after_insert = 1, fsync_part_directory = 1;

-- How rollbacks are carried out. Grain: one step of one run (writer); a run that died left no 'done', and the rollback is carried out again.
-- epoch numbers the 'deleted' steps of a chain from 1, one writer each (the insert token is a compare-and-set), and is 0 in other steps:
-- a computation that saw epoch n read its rows after that deletion.
CREATE TABLE IF NOT EXISTS rollbacks_applied (
  chain LowCardinality(String), seq UInt64, from_block UInt64, generation UInt32, step Enum8('begun' = 1, 'deleted' = 2, 'done' = 3),
  epoch UInt32, rows_deleted UInt64, writer String, at DateTime64(6, 'UTC') DEFAULT now64(6)
) ENGINE = MergeTree ORDER BY (chain, seq, at)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- What landed. Grain: one stage of one batch, written after every row of it.
CREATE TABLE IF NOT EXISTS batches (
  chain LowCardinality(String), stage LowCardinality(String), from_block UInt64, to_block UInt64, hash String, generation UInt32,
  rows UInt64, bytes UInt64, milliseconds UInt32, endpoint LowCardinality(String), finished_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (chain, from_block, stage, generation)
SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;

-- What the nodes said the head was. Grain: one observation that differed from the last.
CREATE TABLE IF NOT EXISTS heads (
  chain LowCardinality(String), number UInt64, hash String, block_time DateTime64(3, 'UTC'), finalized UInt64,
  endpoint LowCardinality(String), observed_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (chain, observed_at) TTL toDateTime(observed_at) + INTERVAL 7 DAY;

-- What the operator or the pipeline decided: state of the whole ('pipeline'), of a stage ('stage:enrich') or of a chain
-- ('chain:ETH', halted by a reorg deeper than finality). Grain: the newest row of a name counts.
CREATE TABLE IF NOT EXISTS controls (
  name String, state LowCardinality(String), reason String, changed_by String, changed_at DateTime64(6, 'UTC')
) ENGINE = ReplacingMergeTree(changed_at) ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;

-- Jobs that gave up. Grain: the newest row of an id counts; state goes dead → redriven.
CREATE TABLE IF NOT EXISTS dead_letters (
  id String, chain LowCardinality(String), stage LowCardinality(String), from_block UInt64, to_block UInt64, hash String,
  generation UInt32, code LowCardinality(String), cause String, endpoint LowCardinality(String), attempts UInt32,
  state Enum8('dead' = 1, 'redriven' = 2), first_at DateTime64(3, 'UTC'), at DateTime64(6, 'UTC')
) ENGINE = ReplacingMergeTree(at) ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
