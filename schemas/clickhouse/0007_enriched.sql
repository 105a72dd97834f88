-- What enrich adds: prices, and movements and swaps with their USD value, labels and classes as known then.

-- Grain: one token priced at one block. usd per whole token. method: chainlink, peg, vwap, two_hop; on Bitcoin wbtc_ and one of these. trades and depth_usd say how
-- much stands behind it.
CREATE TABLE IF NOT EXISTS prices (
  chain LowCardinality(String), token FixedString(20), block_number UInt64, block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), block_hash FixedString(32),
  usd Float64, method LowCardinality(String), trades UInt32, depth_usd Float64, generation UInt32,
  INDEX by_time block_time TYPE minmax GRANULARITY 4
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, token, block_number)
SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 512;

-- What may set a price: every swap in a pool that provably is what it says, seen from both of its tokens. Grain: one token of one
-- swap; quote is the other token, quote_depth the pool's reserve of it after the swap. Narrow it by chain and block_number.
-- Amounts from 2^200 on set no price: a token may move any amount, and a sum must not wrap.
CREATE VIEW IF NOT EXISTS trusted_trades AS
SELECT chain, block_number, log_index, block_hash, block_time, side.1 AS token, side.2 AS token_amount, side.3 AS quote, side.4 AS quote_amount, side.5 AS quote_depth
FROM swap_legs
ARRAY JOIN [(token_sold, amount_sold, token_bought, amount_bought, depth_bought), (token_bought, amount_bought, token_sold, amount_sold, depth_sold)] AS side
WHERE trusted AND NOT aggregator AND token_sold_known AND token_bought_known AND amount_sold > 0 AND amount_bought > 0
  AND greatest(amount_sold, amount_bought) < bitShiftLeft(toUInt256(1), 200);

-- Grain: one movement, enriched. value_usd is null while a price or the decimals are unknown. *_label, *_entity, *_class: as known
-- when the row was enriched ('' and 'unknown' where nothing was known).
-- The table that grows most: all of it is packed, and addresses in large pieces, since those that occur often are far apart.
CREATE TABLE IF NOT EXISTS transfers (
  chain LowCardinality(String), block_number UInt64, kind Enum8('native' = 1, 'internal' = 2, 'withdrawal' = 3, 'erc20' = 4, 'erc721' = 5, 'erc1155' = 6, 'wrap' = 7, 'unwrap' = 8, 'utxo' = 9, 'coinbase' = 10),
  position UInt32 CODEC(Delta, ZSTD(1)), sub UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), tx_index UInt32 CODEC(Delta, ZSTD(1)), tx_hash FixedString(32),
  token FixedString(20), token_symbol LowCardinality(String), token_decimals Nullable(UInt8),
  from_address FixedString(20) CODEC(ZSTD(3)) SETTINGS (min_compress_block_size = 1048576, max_compress_block_size = 1048576),
  to_address FixedString(20) CODEC(ZSTD(3)) SETTINGS (min_compress_block_size = 1048576, max_compress_block_size = 1048576),
  amount UInt256, token_id UInt256, value_usd Nullable(Float64), price_method LowCardinality(String),
  from_label LowCardinality(String), from_entity LowCardinality(String), from_class LowCardinality(String),
  to_label LowCardinality(String), to_entity LowCardinality(String), to_class LowCardinality(String), generation UInt32,
  INDEX by_value value_usd TYPE minmax GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, kind, position, sub)
SETTINGS default_compression_codec = 'ZSTD(1)', non_replicated_deduplication_window = 10000;

-- Grain: one swap event with its USD value (price_side says which leg gave it).
CREATE TABLE IF NOT EXISTS swaps (
  chain LowCardinality(String), block_number UInt64, log_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  tx_index UInt32, tx_hash FixedString(32), protocol LowCardinality(String), aggregator Bool, pool FixedString(32), trusted Bool,
  trader FixedString(20), sender FixedString(20), recipient FixedString(20),
  token_sold FixedString(20), token_sold_known Bool, token_sold_symbol LowCardinality(String), token_sold_decimals Nullable(UInt8), amount_sold UInt256,
  token_bought FixedString(20), token_bought_known Bool, token_bought_symbol LowCardinality(String), token_bought_decimals Nullable(UInt8), amount_bought UInt256,
  value_usd Nullable(Float64), price_method LowCardinality(String), price_side LowCardinality(String), generation UInt32,
  INDEX by_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, log_index)
SETTINGS non_replicated_deduplication_window = 10000;
