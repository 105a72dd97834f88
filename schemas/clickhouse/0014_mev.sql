-- Extracted value: what index finds in a block's swaps, liquidity and liquidations, and what it was worth.

-- Grain: one leg of one find: what one side gave to and got from a pool or market at one log. mev_id is a hash of kind, rule, chain, block hash and
-- first leg: the same find has the same id for ever. kind: sandwich, arbitrage, liquidation, jit. role: front, victim, back; swap (of
-- an arbitrage or liquidation, or the swap that just-in-time liquidity served); repay, seize; mint, burn. own: the searcher's leg; else a stranger's.
-- account sent the transaction; searcher is the contract that works for the finder, or the finder's account where that contract is
-- public. A token is zero with its *_known flag false where there is none or it is not known (zero and known: the chain's own coin).
-- loss: how much more of token_out a victim would have got had the front leg not come before it; null with the reason in loss_reason.
-- grade: high, medium, low, as the rule's file says. rule_version grows when a rule's meaning changes.
CREATE TABLE IF NOT EXISTS mev_legs (
  chain LowCardinality(String), block_number UInt64, mev_id FixedString(32), kind Enum8('sandwich' = 1, 'arbitrage' = 2, 'liquidation' = 3, 'jit' = 4),
  rule LowCardinality(String), rule_version UInt16, grade LowCardinality(String), searcher FixedString(20), role LowCardinality(String), own Bool,
  position UInt32, sub UInt8, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), tx_index UInt32, tx_hash FixedString(32),
  protocol LowCardinality(String), pool FixedString(32), account FixedString(20), token_in FixedString(20), token_in_known Bool, amount_in UInt256,
  token_out FixedString(20), token_out_known Bool, amount_out UInt256, loss Nullable(UInt256), loss_reason LowCardinality(String), generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, mev_id, position, sub)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one find, with what it brought and cost. nets: per token what the searcher's legs brought in sum, wrapped coin counted as coin; tokens
-- that came out even are left out. profit_token and profit_amount: the one token where there is only one, else null.
-- gross_usd is null unless every net has a price. gas_cost: of the searcher's transactions, in wei. builder_payment: coin those
-- transactions paid to the block's fee recipient, null where internal_complete is false: then no traces say what moved inside them.
-- net_usd = gross_usd - gas - builder_payment in USD, null while any of the three is unknown. coin_usd: the coin's price that was used.
-- victim_loss_usd covers the victims whose loss is known and priced; losses_known says how many of victims those are.
CREATE TABLE IF NOT EXISTS mev (
  chain LowCardinality(String), block_number UInt64, mev_id FixedString(32), kind Enum8('sandwich' = 1, 'arbitrage' = 2, 'liquidation' = 3, 'jit' = 4),
  rule LowCardinality(String), rule_version UInt16, grade LowCardinality(String), searcher FixedString(20), account FixedString(20), position UInt32,
  block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), tx_hash FixedString(32), tx_hashes Array(FixedString(32)), pools Array(FixedString(32)),
  protocols Array(LowCardinality(String)), legs UInt16, victims UInt16, losses_known UInt16, victim_loss_usd Nullable(Float64),
  nets Array(Tuple(token FixedString(20), amount Int256)), profit_token Nullable(FixedString(20)), profit_amount Nullable(Int256), gross_usd Nullable(Float64),
  gas_cost UInt256, builder_payment Nullable(UInt256), coin_usd Nullable(Float64), gas_usd Nullable(Float64), builder_usd Nullable(Float64), net_usd Nullable(Float64),
  internal_complete Bool, generation UInt32,
  INDEX by_hash tx_hashes TYPE bloom_filter(0.01) GRANULARITY 1, INDEX by_searcher searcher TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, block_number, mev_id)
SETTINGS non_replicated_deduplication_window = 10000;
