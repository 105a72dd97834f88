-- Canonical blocks, transactions, logs, withdrawals: what normalize takes out of the answers.
-- Every fact row carries the generation of its batch, so that a rollback and the auditor can tell an orphan by one comparison.

-- Grain: one block. internal_complete is false where no traces were to be had: movements inside transactions are then unknown.
-- Pages of blocks are short and rows are wide: a usual granule would be unpacked whole for ten rows.
CREATE TABLE IF NOT EXISTS blocks (
  chain LowCardinality(String), block_number UInt64, block_hash FixedString(32), parent_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  miner FixedString(20), gas_used UInt64, gas_limit UInt64, base_fee_per_gas Nullable(UInt256), difficulty UInt256, size UInt64, extra_data String,
  tx_count UInt32, log_count UInt32, withdrawal_count UInt32, blob_gas_used Nullable(UInt64), excess_blob_gas Nullable(UInt64),
  internal_complete Bool, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000;

-- Grain: one transaction. to_address is zero and creates_contract true for a creation. status is null (unknown) where a receipt
-- from before Byzantium proves neither success nor failure.
-- gas_price is the price paid per gas (effective), in wei.
CREATE TABLE IF NOT EXISTS transactions (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_hash FixedString(32), tx_type UInt8, from_address FixedString(20), to_address FixedString(20), creates_contract Bool, contract_address FixedString(20),
  value UInt256, nonce UInt64, gas_limit UInt64, gas_used UInt64, gas_price UInt256, max_fee_per_gas Nullable(UInt256), max_priority_fee_per_gas Nullable(UInt256),
  blob_gas_used Nullable(UInt64), blob_gas_price Nullable(UInt256), status Nullable(UInt8), selector FixedString(4), input_size UInt32, generation UInt32,
  INDEX by_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, tx_index)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one log. topic1..3 are zero where topic_count is smaller.
CREATE TABLE IF NOT EXISTS logs (
  chain LowCardinality(String), block_number UInt64, log_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_index UInt32, tx_hash FixedString(32), address FixedString(20), topic_count UInt8, topic0 FixedString(32), topic1 FixedString(32),
  topic2 FixedString(32), topic3 FixedString(32), data String, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one beacon withdrawal. amount in wei.
CREATE TABLE IF NOT EXISTS withdrawals (
  chain LowCardinality(String), block_number UInt64, withdrawal_index UInt64, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  validator_index UInt64, address FixedString(20), amount UInt256, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, withdrawal_index)
SETTINGS non_replicated_deduplication_window = 10000;
