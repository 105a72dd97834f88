-- Bitcoin's transactions as movements between owners, and what each known entity gained or lost in them. Labels and prices: as known when
-- the row was enriched. Amounts are satoshis, exact integers. An address is its id, zero where there is none or it is not known.

-- Grain: one transaction. net: what its outputs pay to others than the sender, who is whoever holds the inputs: outputs to an address among
-- the inputs, or to another address of the sender's entity, went back and are left out. While inputs are unresolved it is not known who sends: net is then
-- the most that can have gone to others, for change may be in it, flow is unknown and so is the sender.
-- from_address: the input address with the largest sum; from_entity: of the named input address with the largest. to_address: the largest
-- output to others, a named one first, and to_amount what it got. flow: coinbase, unknown, internal, exchange_inflow, exchange_outflow, transfer.
-- named: what each address of a known entity received or sent in it.
CREATE TABLE IF NOT EXISTS btc_flows (
  chain LowCardinality(String), block_number UInt64, net UInt64, tx_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), txid FixedString(32),
  flow LowCardinality(String), from_address FixedString(20), from_label LowCardinality(String), from_entity LowCardinality(String), from_class LowCardinality(String),
  to_address FixedString(20), to_label LowCardinality(String), to_entity LowCardinality(String), to_class LowCardinality(String), to_amount UInt64,
  inputs UInt32, outputs UInt32, unresolved_inputs UInt32, fee Nullable(UInt64), value_usd Nullable(Float64), price_method LowCardinality(String),
  named Array(Tuple(entity String, class String, received UInt64, sent UInt64)), generation UInt32,
  INDEX by_txid txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, net, tx_index)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one entity in one transaction. received and sent: outputs to its labelled addresses, inputs from them. kind: in, out, internal,
-- where it lost no more than the fee, or unknown, where an input is unresolved: it may be its own, and what it received its change. net: the difference; an entity
-- that pays loses the fee, too. value_usd: of net; where kind is unknown, of what it received.
CREATE TABLE IF NOT EXISTS btc_entity_nets (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, entity LowCardinality(String), class LowCardinality(String), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), txid FixedString(32),
  kind Enum8('in' = 1, 'out' = 2, 'internal' = 3, 'unknown' = 4), received UInt64, sent UInt64, net Int64, fee Nullable(UInt64), unresolved_inputs UInt32, value_usd Nullable(Float64), generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index, entity)
SETTINGS non_replicated_deduplication_window = 10000;

-- Bitcoin's rules speak from an amount on, in BTC: it is known where a price is not.
INSERT INTO alert_thresholds (rule, chain, threshold, unit, severity, version) VALUES
  ('whale_transfer', 'BTC', 100, 'btc', 'medium', 0), ('exchange_inflow', 'BTC', 50, 'btc', 'medium', 0), ('exchange_outflow', 'BTC', 50, 'btc', 'medium', 0), ('mixer_use', 'BTC', 0, 'btc', 'high', 0);

-- Bitcoin's own coin, as movements name it.
INSERT INTO tokens (chain, address, symbol, name, decimals, stable, source, version) VALUES ('BTC', toFixedString('', 20), 'BTC', 'Bitcoin', 8, false, 'protocol', 1);
