-- Hyperliquid as the venue gives it. A venue has no blocks, so what is heard is cut into segments, numbered from 1 in the order of hearing: one
-- insert into raw_payloads each, with the hash of its bytes and of the segment below. block_number is the segment an item was first heard in.
-- Prices and sizes are decimals as the venue writes them, exact. Times are the venue's, heard_at is ours. market: perps of the venue, spot pairs
-- (NAME/QUOTE or @index), perps that others list (dex:NAME). extra tells apart what has no trade id: 0 where there is one.

-- How payloads become rows: decode_*.sql cut them into items, which pass through these tables; the views on them read each kind. Four, since an insert costs the plans
-- of all views behind its table: trades, fills, what is seen of markets, and the rest. Grain: one item.
-- request: what was asked for or subscribed to, JSON. account: whom it is about, '' where nobody said. name: a coin, a venue or a list's name.
CREATE TABLE IF NOT EXISTS hl_items (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'), type LowCardinality(String), request String,
  account String, name String, place UInt32, item String, generation UInt32
) ENGINE = Null;
CREATE TABLE IF NOT EXISTS hl_trade_items AS hl_items ENGINE = Null;
CREATE TABLE IF NOT EXISTS hl_fill_items AS hl_items ENGINE = Null;
CREATE TABLE IF NOT EXISTS hl_market_items AS hl_items ENGINE = Null;

-- Grain: one side of a trade, once by (time, coin, tid, extra, account). side: what the account did. start_position: signed size before. closed_pnl is gross
-- of fees; a negative fee is a rebate, builder_fee is part of fee. liquidation_method is '' where the venue said nothing of a liquidation.
CREATE TABLE IF NOT EXISTS hl_fills (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), tid UInt64, extra UInt64, account FixedString(20), side Enum8('buy' = 1, 'sell' = 2), px Decimal(38, 18), sz Decimal(38, 18),
  start_position Decimal(38, 18), dir LowCardinality(String), closed_pnl Decimal(38, 18), hash FixedString(32), oid UInt64, crossed Bool, fee Decimal(38, 18), builder_fee Nullable(Decimal(38, 18)), fee_token LowCardinality(String),
  twap_id Nullable(UInt64), cloid String, liquidated_account FixedString(20), liquidation_mark Nullable(Decimal(38, 18)), liquidation_method LowCardinality(String), venue_block Nullable(UInt64), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, coin, tid, account, extra)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one trade, once by (time, coin, tid, extra). side: the aggressor's, so the taker is the buyer of a buy. The venue lists a trade's accounts as buyer, seller.
-- A trade heard without an id (files of trades) and one of the same time, coin, accounts, price and size are the same. Oids are 0 where not told.
CREATE TABLE IF NOT EXISTS hl_trades (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), tid UInt64, extra UInt64, side Enum8('buy' = 1, 'sell' = 2), px Decimal(38, 18), sz Decimal(38, 18), buyer FixedString(20), seller FixedString(20), buyer_oid UInt64, seller_oid UInt64,
  hash FixedString(32), taker FixedString(20) ALIAS if(side = 'buy', buyer, seller), notional Decimal(38, 18) ALIAS toDecimal128(toDecimal256(px, 18) * toDecimal256(sz, 18), 18), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, coin, tid, extra)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one forced fill that the venue itself called so, once by (time, coin, tid, extra); estimates have no place here. side: what the liquidated account had to do.
-- kind adl: a winner's position was closed against the loser's. liquidated is the account whose position was closed.
CREATE TABLE IF NOT EXISTS hl_liquidations (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), tid UInt64, extra UInt64, kind Enum8('liquidation' = 1, 'adl' = 2), liquidated FixedString(20), side Enum8('buy' = 1, 'sell' = 2), px Decimal(38, 18), sz Decimal(38, 18), mark_px Nullable(Decimal(38, 18)), method LowCardinality(String), hash FixedString(32), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, coin, tid, extra)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one payment of one account, once by (time, coin, account). usdc: signed, received is positive.
CREATE TABLE IF NOT EXISTS hl_funding_payments (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), account FixedString(20), usdc Decimal(38, 18), szi Decimal(38, 18), rate Decimal(38, 18), samples Nullable(UInt32), hash FixedString(32), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, account, time, coin)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one rate of one coin, once by (time, coin). How many hours it stands for is the distance to the one before: rates of 2023 are of eight hours.
CREATE TABLE IF NOT EXISTS hl_funding_rates (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), rate Decimal(38, 18), premium Nullable(Decimal(38, 18)), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, coin, time)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one change of an account that is neither fill nor funding, once by (time, account, hash, extra). usdc: where the change names it. delta: all of it, JSON.
CREATE TABLE IF NOT EXISTS hl_ledger_updates (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  time DateTime64(3, 'UTC'), account FixedString(20), hash FixedString(32), extra UInt64, kind LowCardinality(String), usdc Nullable(Decimal(38, 18)), delta String, generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, account, time, hash, extra)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one order book as it was seen. Levels from the best on; orders is 0 where not told.
CREATE TABLE IF NOT EXISTS hl_books (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), bids Array(Tuple(px Decimal(38, 18), sz Decimal(38, 18), orders UInt32)), asks Array(Tuple(px Decimal(38, 18), sz Decimal(38, 18), orders UInt32)), generation UInt32,
  INDEX by_heard heard_at TYPE minmax GRANULARITY 1
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, coin, time)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one observation of a market. Without a venue time: time is when it was heard. Lists name no coins: place is the coin's in the list of its dex, and coin is '' until it is
-- looked up there. rate: funding per hour. open_interest in units of the coin. Spot has no oracle, no rate and no open interest.
CREATE TABLE IF NOT EXISTS hl_contexts (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), place UInt32, time DateTime64(3, 'UTC'), mark_px Decimal(38, 18), mid_px Nullable(Decimal(38, 18)), oracle_px Nullable(Decimal(38, 18)), rate Nullable(Decimal(38, 18)), open_interest Nullable(Decimal(38, 18)), premium Nullable(Decimal(38, 18)), prev_day_px Decimal(38, 18), day_notional Decimal(38, 18), day_base Nullable(Decimal(38, 18)),
  impact_bid Nullable(Decimal(38, 18)), impact_ask Nullable(Decimal(38, 18)), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, dex, coin, time, place)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one observation of a coin's middle price.
CREATE TABLE IF NOT EXISTS hl_mids (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), px Decimal(38, 18), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, coin, time)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one coin in one list of the coins of a dex ('' is the venue's own). A coin that is not in the newest list is gone. extra: what else was said of it, JSON.
CREATE TABLE IF NOT EXISTS hl_coins (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), place UInt32, sz_decimals UInt8, max_leverage UInt32, margin_table Nullable(UInt32), only_isolated Bool, delisted Bool, margin_mode LowCardinality(String), growth_mode LowCardinality(String), collateral Nullable(UInt32), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, dex, time, place)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one venue's next rate for a coin as it was seen.
CREATE TABLE IF NOT EXISTS hl_predicted_fundings (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), venue LowCardinality(String), rate Decimal(38, 18), next_at DateTime64(3, 'UTC'), interval_hours Nullable(Float64), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, coin, time, venue)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one candle as it was seen; an open one is seen again.
CREATE TABLE IF NOT EXISTS hl_candles (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), time DateTime64(3, 'UTC'), candle_interval LowCardinality(String), closes_at DateTime64(3, 'UTC'), open Decimal(38, 18), high Decimal(38, 18), low Decimal(38, 18), close Decimal(38, 18), volume Decimal(38, 18), trades UInt64, generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, coin, candle_interval, time, heard_at)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one observation of an account's margin on one dex.
CREATE TABLE IF NOT EXISTS hl_accounts (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  account FixedString(20), dex LowCardinality(String), time DateTime64(3, 'UTC'), account_value Decimal(38, 18), position_value Decimal(38, 18), raw_usd Decimal(38, 18), margin_used Decimal(38, 18), cross_account_value Nullable(Decimal(38, 18)), cross_position_value Nullable(Decimal(38, 18)), cross_raw_usd Nullable(Decimal(38, 18)), cross_margin_used Nullable(Decimal(38, 18)),
  maintenance_margin Nullable(Decimal(38, 18)), withdrawable Decimal(38, 18), positions UInt32, generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, account, dex, time)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one position in one observation of an account. szi: signed size. liquidation_px is the venue's own; null where it gives none.
CREATE TABLE IF NOT EXISTS hl_positions (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), dex LowCardinality(String), account FixedString(20), time DateTime64(3, 'UTC'), kind LowCardinality(String), szi Decimal(38, 18), entry_px Nullable(Decimal(38, 18)), position_value Decimal(38, 18), unrealized_pnl Decimal(38, 18), return_on_equity Decimal(38, 18), liquidation_px Nullable(Decimal(38, 18)), margin_used Decimal(38, 18), leverage_kind LowCardinality(String), leverage UInt32,
  leverage_raw_usd Nullable(Decimal(38, 18)), max_leverage Nullable(UInt32), funding_all_time Nullable(Decimal(38, 18)), funding_since_open Nullable(Decimal(38, 18)), funding_since_change Nullable(Decimal(38, 18)), max_trade_sizes Array(Decimal(38, 18)), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, account, coin, time)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one item of an answer that is kept whole, as the venue wrote it: orders, portfolios, roles, vaults, what is not read into a table of its own.
CREATE TABLE IF NOT EXISTS hl_records (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  time DateTime64(3, 'UTC'), type LowCardinality(String), account String, name String, place UInt32, item String, generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, type, account, time, place)
SETTINGS non_replicated_deduplication_window = 10000;

-- What the venue said and no rule reads: a kind of message, a field, an item that cannot be what it claims. Grain: one such thing in one item. Never left out in silence.
CREATE TABLE IF NOT EXISTS hl_unknown (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  time DateTime64(3, 'UTC'), type LowCardinality(String), field LowCardinality(String), reason LowCardinality(String), example String, generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, type, field, time)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one stretch of time in which a subscription was not heard and that no later answer filled. Times are ours.
CREATE TABLE IF NOT EXISTS hl_gaps (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  time DateTime64(3, 'UTC'), channel LowCardinality(String), coin LowCardinality(String), from_time DateTime64(3, 'UTC'), to_time DateTime64(3, 'UTC'), reason LowCardinality(String), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, time, channel, coin)
SETTINGS non_replicated_deduplication_window = 10000;

-- The same before it is known whether it was heard before: payloads are read in any order, enrich takes them in the order of segments. Used up by
-- then; they go when the payloads they were read from go.
CREATE TABLE IF NOT EXISTS hl_read_fills AS hl_fills
ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, time, coin, tid, account, extra) TTL toDateTime(heard_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS hl_read_trades AS hl_trades
ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, time, coin, tid, extra) TTL toDateTime(heard_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS hl_read_funding_payments AS hl_funding_payments
ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, account, time, coin) TTL toDateTime(heard_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS hl_read_funding_rates AS hl_funding_rates
ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, coin, time) TTL toDateTime(heard_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS hl_read_ledger_updates AS hl_ledger_updates
ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, account, time, hash, extra) TTL toDateTime(heard_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;
