-- Helpers of the generator, in the bench's own database. Grains: a movement, a swap, a labelled address by its rank.
CREATE TABLE bench_mix (
  place UInt64, kind Enum8('native' = 1, 'internal' = 2, 'withdrawal' = 3, 'erc20' = 4, 'erc721' = 5, 'erc1155' = 6, 'wrap' = 7, 'unwrap' = 8), token FixedString(20), symbol LowCardinality(String),
  decimals Nullable(UInt8), amount UInt256, value_usd Nullable(Float64), price_method LowCardinality(String)
) ENGINE = MergeTree ORDER BY place;
CREATE TABLE bench_swap_mix (
  place UInt64, protocol LowCardinality(String), aggregator Bool, pool FixedString(32), trusted Bool,
  token_sold FixedString(20), token_sold_known Bool, token_sold_symbol LowCardinality(String), token_sold_decimals Nullable(UInt8), amount_sold UInt256,
  token_bought FixedString(20), token_bought_known Bool, token_bought_symbol LowCardinality(String), token_bought_decimals Nullable(UInt8), amount_bought UInt256,
  value_usd Nullable(Float64), price_method LowCardinality(String), price_side LowCardinality(String)
) ENGINE = MergeTree ORDER BY place;
CREATE TABLE bench_named (rank UInt64, address FixedString(20), label String, entity String, class String) ENGINE = MergeTree ORDER BY rank
