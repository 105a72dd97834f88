-- What the world knows: labels of addresses and tokens' metadata. Loaded by stages/enrich/registers.

-- Grain: one statement of one source about one address. The newest version of (chain, address, source, label) counts.
CREATE TABLE IF NOT EXISTS labels (
  chain LowCardinality(String), address String, label String, entity String, category LowCardinality(String), source LowCardinality(String),
  rule LowCardinality(String), confidence UInt8, licence LowCardinality(String), valid_from DateTime64(3, 'UTC'), removed Bool, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, address, source, label);

-- Grain: one token. decimals is null while unknown; it never becomes a guess. source: list name, or 'node'.
CREATE TABLE IF NOT EXISTS tokens (
  chain LowCardinality(String), address FixedString(20), symbol String, name String, decimals Nullable(UInt8), stable Bool,
  source LowCardinality(String), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, address);

-- Grain: one load of one register.
CREATE TABLE IF NOT EXISTS register_loads (
  register LowCardinality(String), version String, sha256 String, rows UInt64, loaded_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (register, loaded_at);

-- The best statement per address: highest confidence, then the newest, then by name. Read by enrich as "known then" and by answers as "known now".
CREATE VIEW IF NOT EXISTS labels_now AS
SELECT chain, address,
  argMax(l.label, (l.confidence, l.valid_from, l.source, l.label)) AS label, argMax(l.entity, (l.confidence, l.valid_from, l.source, l.label)) AS entity,
  argMax(l.category, (l.confidence, l.valid_from, l.source, l.label)) AS category, argMax(l.source, (l.confidence, l.valid_from, l.source, l.label)) AS source,
  max(l.confidence) AS confidence
FROM labels AS l FINAL WHERE NOT l.removed GROUP BY chain, address;

-- Keys of both dictionaries are texts: the chain and the address as labels.address has it, concat('0x', lower(hex(address))) for a
-- 20-byte column. (A FixedString turned into a String loses its trailing zero bytes, so raw bytes make no key.)
CREATE DICTIONARY IF NOT EXISTS label_of (
  chain String, address String, label String, entity String, category String DEFAULT 'unknown', confidence UInt8 DEFAULT 0
) PRIMARY KEY chain, address
SOURCE(CLICKHOUSE(QUERY 'SELECT chain, address, label, entity, category, confidence FROM {{database}}.labels_now' USER '{{user}}' PASSWORD '{{password}}' DB '{{database}}'))
LIFETIME(MIN 0 MAX 0) LAYOUT(COMPLEX_KEY_HASHED());

-- listed: the metadata come from a bundled list; those a token's own contract told are text of a stranger.
CREATE DICTIONARY IF NOT EXISTS token_of (
  chain String, address String, symbol String, decimals Nullable(UInt8), stable UInt8, listed UInt8
) PRIMARY KEY chain, address
SOURCE(CLICKHOUSE(QUERY 'SELECT toString(chain) AS chain, concat(''0x'', lower(hex(address))) AS address, symbol, decimals, toUInt8(stable) AS stable, toUInt8(source != ''node'') AS listed FROM {{database}}.tokens FINAL' USER '{{user}}' PASSWORD '{{password}}' DB '{{database}}'))
LIFETIME(MIN 0 MAX 0) LAYOUT(COMPLEX_KEY_HASHED());

-- Registration files of agents, as read from the URIs their registries name: untrusted text of strangers, outside of any chain.
-- Grain: the newest reading of (chain, agent_id) counts. status: ok, or why there is no file (refused, unsupported, failed, too_large, invalid).
CREATE TABLE IF NOT EXISTS agent_files (
  chain LowCardinality(String), agent_id UInt256, uri String, status LowCardinality(String), reason String, sha256 String, name String, description String,
  services Array(Tuple(name String, endpoint String, version String)), x402_support Nullable(Bool), active Nullable(Bool), supported_trust Array(String), fetched_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(fetched_at) ORDER BY (chain, agent_id);
