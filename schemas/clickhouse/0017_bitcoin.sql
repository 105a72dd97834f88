-- Bitcoin as its blocks say it: transactions, outputs, inputs with what they spend. Amounts are satoshis, exact integers.
-- Hashes are in the order people write them (the reverse of the bytes on the wire). Addresses are text as Bitcoin writes it, '' where
-- a script pays to none. In tables that chains share, an address stands as its id: the first 20 bytes of SHA-256 of its text.

-- Grain: one block, beside its row in blocks. coinbase_text: what the miner wrote, bytes of a stranger. fees is null while an input is unresolved.
CREATE TABLE IF NOT EXISTS btc_blocks (
  chain LowCardinality(String), block_number UInt64, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), version Int32, merkle_root FixedString(32),
  bits UInt32, nonce UInt32, size UInt32, weight UInt32, tx_count UInt32, input_count UInt32, output_count UInt32, unresolved_inputs UInt32,
  output_value UInt64, subsidy UInt64, fees Nullable(UInt64), coinbase_text String, miner LowCardinality(String), generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000;

-- Grain: one transaction. input_value and fee are null while an input is unresolved; a coinbase has no fee (null) and input_value 0.
CREATE TABLE IF NOT EXISTS btc_transactions (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  txid FixedString(32), version Int32, locktime UInt32, size UInt32, weight UInt32, coinbase Bool, input_count UInt32, output_count UInt32, unresolved_inputs UInt32,
  input_value Nullable(UInt64), output_value UInt64, fee Nullable(UInt64), generation UInt32,
  INDEX by_txid txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one output. script_type: pubkey, pubkeyhash, scripthash, multisig, nulldata, witness_v0_keyhash, witness_v0_scripthash,
-- witness_v1_taproot, witness_unknown, anchor, nonstandard. data: what an OP_RETURN carries, bytes of a stranger.
CREATE TABLE IF NOT EXISTS btc_outputs (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, vout UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  txid FixedString(32), value UInt64, script_type LowCardinality(String), address String, script String, data String, generation UInt32,
  INDEX by_txid txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index, vout)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one input. prevout: 'node' (the node said what it spends), 'own' (found among our outputs), 'unresolved' (value is null, address '',
-- nothing is guessed), 'coinbase'. prev_block is null where unknown.
CREATE TABLE IF NOT EXISTS btc_inputs (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, vin UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  txid FixedString(32), prev_txid FixedString(32), prev_vout UInt32, prev_block Nullable(UInt64), prevout Enum8('node' = 1, 'own' = 2, 'unresolved' = 3, 'coinbase' = 4),
  value Nullable(UInt64), script_type LowCardinality(String), address String, sequence UInt32, generation UInt32,
  INDEX by_prev prev_txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index, vin)
SETTINGS non_replicated_deduplication_window = 10000;

-- The text of an address behind its id. Grain: one address. It holds whatever became of the block it was seen in.
CREATE TABLE IF NOT EXISTS btc_addresses (
  id FixedString(20), address String, script_type LowCardinality(String)
) ENGINE = ReplacingMergeTree ORDER BY id
SETTINGS non_replicated_deduplication_window = 10000;
