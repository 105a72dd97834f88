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

-- How risk is scored, open and versioned. Grain: one version of the rule; the newest counts. An address's score of 100 is the greater of what it is itself (weight
-- of its category, times confidence / 100 where that is under own_confidence) and 1 − Π (1 − weight × share × decay^(hops − 1) × confidence / 100) over
-- its exposures. severe, high and medium: from which score on a level begins; under medium is low.
CREATE TABLE IF NOT EXISTS risk_rules (
  rule LowCardinality(String), version UInt16, decay Float64, own_confidence UInt8, severe UInt8, high UInt8, medium UInt8
) ENGINE = ReplacingMergeTree ORDER BY (rule, version);

INSERT INTO risk_rules (rule, version, decay, own_confidence, severe, high, medium) VALUES ('exposure_score', 1, 0.7, 50, 90, 60, 30);

-- What a category weighs, from 0 to 1; those that are not here do not. Grain: one category in one version of the rule.
CREATE TABLE IF NOT EXISTS risk_weights (
  rule LowCardinality(String), version UInt16, category LowCardinality(String), weight Float64
) ENGINE = ReplacingMergeTree ORDER BY (rule, version, category);

INSERT INTO risk_weights (rule, version, category, weight) VALUES
  ('exposure_score', 1, 'sanctioned', 1), ('exposure_score', 1, 'extremism', 1), ('exposure_score', 1, 'hack', 0.95), ('exposure_score', 1, 'ransomware', 0.95), ('exposure_score', 1, 'blacklisted', 0.9),
  ('exposure_score', 1, 'market', 0.9), ('exposure_score', 1, 'scam', 0.8), ('exposure_score', 1, 'mixer', 0.7), ('exposure_score', 1, 'gambling', 0.4);
