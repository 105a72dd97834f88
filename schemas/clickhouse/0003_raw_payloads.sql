-- Answers of nodes, byte for byte. Grain: one answer, or for a block of an account chain the answers about it side by side (kind
-- 'block': payload is the block, receipts its receipts, traces its traces in the shape traces_kind names, '' where there are none):
-- so they land together or not at all, and a statement reads the column it needs.
-- A second copy of an answer is harmless: readers take one by LIMIT 1 BY, and only those of their batch's generation.
-- problem is empty when the answers passed the checks of ingest; nothing reads a row with a problem.
-- Parts of a backfill are large and read once: merging them would only write the same bytes again. Partitions are small, for that leaves
-- a part for each batch, and a partition takes 3,000.
CREATE TABLE IF NOT EXISTS raw_payloads (
  chain LowCardinality(String), number UInt64, kind LowCardinality(String), block_hash FixedString(32), parent_hash FixedString(32),
  problem String, generation UInt32, endpoint LowCardinality(String), fetched_at DateTime64(3, 'UTC'), payload String CODEC(LZ4),
  receipts String CODEC(LZ4), traces String CODEC(LZ4), traces_kind LowCardinality(String)
) ENGINE = MergeTree PARTITION BY (chain, intDiv(number, 100000)) ORDER BY (chain, kind, number, block_hash)
TTL toDateTime(fetched_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 64, index_granularity_bytes = 4194304, min_bytes_for_wide_part = 0,
  max_bytes_to_merge_at_max_space_in_pool = 33554432,
  ttl_only_drop_parts = 1;
