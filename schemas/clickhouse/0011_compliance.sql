-- Who is designated, and what was attested: sanctions by address, and signed reports.

-- Designations of addresses. Grain: one listing of one address by one register, as the register has it; the newest version counts, removed
-- says that it is delisted. key is the address in lower case, by which it is screened; chain is that of the address's form, '' where
-- the form does not tell. register: OFAC_SDN, UK_HMT, IL_NBCTF, JP_METI. A load is told in register_loads under the same name.
CREATE TABLE IF NOT EXISTS designations (
  key String, register LowCardinality(String), list_id String, address String, chain LowCardinality(String), ticker LowCardinality(String), entity_name String, programme String,
  designating_authority String, aggregator String, listed_on Nullable(Date32), confidence Float64, verified_at DateTime64(6, 'UTC'), removed Bool, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (key, register, list_id);

-- Signed reports, for ever. Grain: one report. canonical is the exact text that was hashed and signed (RFC 8785); content_hash is its SHA-256
-- in lower-case hex, signature the HMAC-SHA256 of the same text in lower-case hex under the secret key_name.
CREATE TABLE IF NOT EXISTS reports (
  content_hash String, kind LowCardinality(String), subject String, chain LowCardinality(String), canonical String, signature String, key_name LowCardinality(String), created_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY content_hash
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1;
