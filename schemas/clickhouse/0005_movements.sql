-- What normalize decodes from blocks, logs and traces: movements of value and legs of swaps, in chain units only.

-- Grain: one movement. token is zero for the chain's own coin. position orders rows of a kind in a block (log index, transaction
-- index, frame number, withdrawal number); sub counts inside one log (ERC-1155 batch). amount is in the token's smallest unit, and
-- the number of copies for NFTs (1 for ERC-721); token_id is 0 where there is none.
CREATE TABLE IF NOT EXISTS movements (
  chain LowCardinality(String), block_number UInt64, kind Enum8('native' = 1, 'internal' = 2, 'withdrawal' = 3, 'erc20' = 4, 'erc721' = 5, 'erc1155' = 6, 'wrap' = 7, 'unwrap' = 8, 'utxo' = 9, 'coinbase' = 10),
  position UInt32, sub UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), tx_index UInt32, tx_hash FixedString(32),
  token FixedString(20), from_address FixedString(20), to_address FixedString(20), amount UInt256, token_id UInt256, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, kind, position, sub)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one swap event. pool is the 20-byte address left-padded to 32 bytes, or the 32-byte id of a pool in a singleton.
-- Sold is what the trader gave to the pool, bought what the trader received. A token is zero with its *_known flag false where it
-- could not be resolved (zero with the flag true is the chain's own coin). trusted: the pool's address was recomputed from a
-- known factory (CREATE2) or it lives in a known singleton. depth_*: the pool's reserve of the sold/bought token after the swap
-- (virtual reserve for concentrated liquidity), 0 where unknown. aggregator rows repeat pool rows: never add the two up.
CREATE TABLE IF NOT EXISTS swap_legs (
  chain LowCardinality(String), block_number UInt64, log_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_index UInt32, tx_hash FixedString(32), protocol LowCardinality(String), aggregator Bool, pool FixedString(32), factory FixedString(20), trusted Bool,
  sender FixedString(20), recipient FixedString(20), token_sold FixedString(20), token_sold_known Bool, amount_sold UInt256,
  token_bought FixedString(20), token_bought_known Bool, amount_bought UInt256, depth_sold UInt256, depth_bought UInt256, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one sighting of a pool and its tokens (the creating event, or a swap whose tokens were inferred from the transfers beside
-- it). source: 'created' or 'inferred'. A pool is accepted when it was created in sight, is trusted, or was inferred alike twice.
CREATE TABLE IF NOT EXISTS pool_sightings (
  chain LowCardinality(String), pool FixedString(32), block_number UInt64, log_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC'), tx_hash FixedString(32),
  protocol LowCardinality(String), source Enum8('created' = 1, 'inferred' = 2), factory FixedString(20), trusted Bool,
  tokens Array(FixedString(20)), fee UInt32, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, pool, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 10000;

-- What the registries of agents (ERC-8004: identity, reputation) told. Grain: one event of a registry. account: the owner it was
-- registered for or given to, who changed the URI, the client who gave or took back feedback. uri and value are texts and bytes of
-- strangers, cut at 16 KiB; uri_size is the length before. A feedback's value is feedback_value / 10^feedback_decimals.
CREATE TABLE IF NOT EXISTS agent_events (
  chain LowCardinality(String), agent_id UInt256, block_number UInt64, log_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC'), tx_hash FixedString(32),
  registry FixedString(20), kind Enum8('registered' = 1, 'metadata' = 2, 'uri' = 3, 'transfer' = 4, 'feedback' = 5, 'feedback_revoked' = 6, 'response' = 7),
  account FixedString(20), uri String, uri_size UInt32, key String, value String, feedback_index UInt64, feedback_value Int128, feedback_decimals UInt8, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, agent_id, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 10000;

-- Agents as their registry's events leave them. Grain: one agent. wallet: 20 raw bytes, '' where there is none; it goes when an agent
-- changes hands, because the registry says so by an event. registered_at is null where the registration lies outside the blocks indexed.
CREATE VIEW IF NOT EXISTS agents AS
SELECT chain, agent_id, min((block_number, log_index)) AS first_seen, maxIf(toNullable(block_time), kind = 'registered') AS registered_at,
  minIf(toNullable(block_number), kind = 'registered') AS registered_block, minIf(tx_hash, kind = 'registered') AS registered_tx,
  argMaxIf(account, (block_number, log_index), kind IN ('registered', 'transfer')) AS owner, countIf(kind IN ('registered', 'transfer')) > 0 AS owner_known,
  argMaxIf(value, (block_number, log_index), kind = 'metadata' AND key = 'agentWallet') AS wallet,
  argMaxIf(uri, (block_number, log_index), kind IN ('registered', 'uri')) AS uri, argMaxIf(uri_size, (block_number, log_index), kind IN ('registered', 'uri')) AS uri_size,
  max(block_time) AS updated_at, uniqExactIf((account, feedback_index), kind = 'feedback') AS feedback, uniqExactIf((account, feedback_index), kind = 'feedback_revoked') AS feedback_revoked,
  uniqExactIf(account, kind = 'feedback') AS clients
FROM agent_events GROUP BY chain, agent_id;
