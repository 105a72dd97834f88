-- Traders of Hyperliquid: their fills by account, positions from flat to flat, what these tell of them. Computed on a schedule (stages/traders), the accounts
-- of which something new was heard alone. Amounts in dollars of single positions are exact decimals; metrics are Float64, and absent where too little is known.

-- The numbers that traders are judged by: open and versioned. Grain: one version of one rule; the newest counts.
CREATE TABLE IF NOT EXISTS hl_trader_rules (
  rule LowCardinality(String), version UInt16, numbers Map(String, Float64), says String
) ENGINE = ReplacingMergeTree ORDER BY (rule, version);

INSERT INTO hl_trader_rules VALUES
  ('window', 1, {'days': 90, 'price_minutes': 10}, 'Positions that ended within so many days before the newest fill; a price is known that is so many minutes old at most'),
  ('samples', 1, {'positions': 10, 'days': 20, 'markouts': 10}, 'How many ended positions, days with a result and markouts a metric of these needs; below them it is unknown'),
  ('market_maker', 1, {'maker_share': 0.7, 'net_flow_share': 0.1, 'fills_per_day': 200}, 'Rests in the book, buys what it sells'),
  ('hedger', 1, {'net_to_gross': 0.25, 'funding_share': 0.6}, 'Positions that weigh each other out, or earnings that are funding'),
  ('sniper', 1, {'trades_per_day': 1, 'win_rate': 0.65, 'payoff': 1.5, 'hold_seconds': 86400, 'markout_t': 2}, 'Seldom, short and right'),
  ('steamroller', 1, {'win_rate': 0.8, 'payoff': 0.5, 'adds_to_losers': 0.3, 'adverse': 0.005, 'worst_loss': 10}, 'Many small gains, rare large losses'),
  ('directional', 1, {'net_to_gross': 0.6, 'days': 0.7}, 'Exposed to one side on most days'),
  ('scalper', 1, {'hold_seconds': 900, 'trades_per_day': 20}, 'In and out within minutes'),
  ('wash', 1, {'turnover': 500}, 'Volume of so many times the result: says nothing of skill'),
  ('blow_up', 1, {'liquidations': 3, 'crash': 0.9}, 'Liquidated so often, or so much of the capital lost in a day'),
  ('copy', 1, {'delay_seconds': 30, 'horizon_seconds': 3600, 'taker_fee': 0.00045, 'follower_usd': 1000, 'impact': 0.0005, 'least_slip': 0.0001, 'unknown_slip': 0.0005, 'full_edge': 0.005, 'best_share': 0.5, 'positions': 10, 'full_positions': 100}, 'Fit to be copied: what is left for one who follows late, as a taker, at the size named'),
  ('insider', 1, {'fresh_hours': 24, 'top_coin': 0.8, 'size_to_account': 5, 'usd': 250000, 'least_usd': 5000, 'sigmas': 3, 'exit_hours': 48, 'hit_rate': 0.75, 'hits': 3, 'flagged': 40}, 'Suspected of knowing before others: points by freshness, concentration, size, timing, hits and leaving at once');

-- Fills in the order of accounts. Grain: one fill, as in hl_fills. forced: this account's position was closed against its will.
CREATE TABLE IF NOT EXISTS hl_account_fills (
  chain LowCardinality(String), block_number UInt64, account FixedString(20), coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), time DateTime64(3, 'UTC'), tid UInt64, extra UInt64,
  side Enum8('buy' = 1, 'sell' = 2), px Decimal(38, 18), sz Decimal(38, 18), start_position Decimal(38, 18), dir LowCardinality(String), closed_pnl Decimal(38, 18), fee Decimal(38, 18), crossed Bool, forced Bool, twap Bool, generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (chain, account, coin, time, tid, extra)
SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_fills_by_account TO hl_account_fills AS
SELECT chain, block_number, account, coin, market, time, tid, extra, side, px, sz, start_position, dir, closed_pnl, fee, crossed,
  startsWith(dir, 'Liquidated') OR (liquidation_method != '' AND liquidated_account = account) AS forced, twap_id IS NOT NULL AS twap, generation
FROM hl_fills;

-- What each segment told anew of whom, so that it is known whose positions have to be walked anew. Grain: one coin of one account in one insert of a segment.
CREATE TABLE IF NOT EXISTS hl_touched (
  chain LowCardinality(String), block_number UInt64, account FixedString(20), coin LowCardinality(String), since DateTime64(3, 'UTC'), until DateTime64(3, 'UTC'), generation UInt32
) ENGINE = MergeTree ORDER BY (chain, block_number, account, coin)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_fills_touched TO hl_touched AS
SELECT chain, block_number, account, coin, min(time) AS since, max(time) AS until, any(generation) AS generation FROM hl_fills WHERE market != 'spot' GROUP BY chain, block_number, account, coin;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_payments_touched TO hl_touched AS
SELECT chain, block_number, account, coin, min(time) AS since, max(time) AS until, any(generation) AS generation FROM hl_funding_payments WHERE market != 'spot' GROUP BY chain, block_number, account, coin;

-- What was paid for a coin in spans of 1, 8, 64, 512 and 4096 minutes, by trades, and by middle prices as they were seen. nth: spans since 1970. Extremes and the last
-- do not change when something is heard again. Any time is covered by few spans, so the extremes of a long one cost as little as those of a short one.
CREATE TABLE IF NOT EXISTS hl_prices (
  chain LowCardinality(String), coin LowCardinality(String), span UInt16, nth UInt32, high SimpleAggregateFunction(max, Decimal(38, 18)), low SimpleAggregateFunction(min, Decimal(38, 18)),
  last SimpleAggregateFunction(max, Tuple(DateTime64(3, 'UTC'), UInt64, Decimal(38, 18)))
) ENGINE = AggregatingMergeTree ORDER BY (chain, coin, span, nth)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_trades_prices TO hl_prices AS
SELECT chain, coin, span, toUInt32(intDiv(toUnixTimestamp64Milli(t.time), 60000 * span)) AS nth, max(px) AS high, min(px) AS low, max((t.time, t.tid, t.px)) AS last
FROM hl_trades AS t ARRAY JOIN [1, 8, 64, 512, 4096]::Array(UInt16) AS span WHERE market != 'spot' AND px > 0 GROUP BY chain, coin, span, nth;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_mids_prices TO hl_prices AS
SELECT chain, coin, span, toUInt32(intDiv(toUnixTimestamp64Milli(m.time), 60000 * span)) AS nth, max(px) AS high, min(px) AS low, max((m.time, toUInt64(0), m.px)) AS last
FROM hl_mids AS m ARRAY JOIN [1, 8, 64, 512, 4096]::Array(UInt16) AS span WHERE market != 'spot' AND px > 0 GROUP BY chain, coin, span, nth;

-- What a run has to walk anew: fills of a coin of an account from a time at which it was flat (since). coin is '' where the account is judged anew alone. Used up by the run.
CREATE TABLE IF NOT EXISTS hl_walks (
  chain LowCardinality(String), run UInt64, account FixedString(20), coin LowCardinality(String), since DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (chain, run, account, coin) TTL toDateTime(intDiv(run, 1000)) + INTERVAL 1 DAY;

-- Grain: one position of one account in one coin, from flat (or from a flip, whose fill is split) to flat (or to a flip), named by its first fill: time, trade id, extra
-- and which part of the fill. Perps only: market tells the venue's own from those that others list. Read it FINAL, narrowed by account.
-- state: lost where later fills start elsewhere, so how it ended was not heard. clean: opened by the first fill of its moment, from flat. gap: start where what was held
-- before the first fill known is not known, middle where fills lack between. Prices are averages by size: entry_px of all that opened, exit_px of all that closed;
-- entry_px is null after a gap at the start. gross: what closing earned before fees, by its own prices where it is whole and closed, else as the venue says (closed_pnl).
-- net = gross - fees + funding. funding: payments heard; fundings of them, of `hours` full hours that began while it was open. hold_seconds: by size, of what was closed.
-- worst, best: the most that the price went against and for it, as a share of entry_px, by its own fills and by prices of full minutes within; null while open, after a
-- gap at the start, and where no full minute's price is known. added_badly: opening fills at a price worse than the average by more than the steamroller rule's share.
CREATE TABLE IF NOT EXISTS hl_trips (
  chain LowCardinality(String), account FixedString(20), coin LowCardinality(String), market Enum8('perp' = 1, 'spot' = 2, 'dex' = 3), opened_at DateTime64(3, 'UTC'), tid UInt64, extra UInt64, part UInt8,
  side Enum8('long' = 1, 'short' = 2), state Enum8('open' = 1, 'closed' = 2, 'lost' = 3), flipped Bool, clean Bool, gap Enum8('none' = 0, 'start' = 1, 'middle' = 2), closed_at Nullable(DateTime64(3, 'UTC')), last_at DateTime64(3, 'UTC'),
  fills UInt32, opened_sz Decimal(38, 18), closed_sz Decimal(38, 18), largest_sz Decimal(38, 18), held Decimal(38, 18), entry_px Nullable(Decimal(38, 18)), exit_px Nullable(Decimal(38, 18)), largest_usd Float64, volume_usd Float64, maker_usd Float64,
  gross Decimal(38, 18), fees Decimal(38, 18), funding Decimal(38, 18), net Decimal(38, 18), fundings UInt32, hours UInt32, hold_seconds Nullable(Float64), worst Nullable(Float64), best Nullable(Float64),
  added UInt32, added_badly UInt32, forced UInt32, adl UInt32, taker_fills UInt32, version UInt64, deleted UInt8
) ENGINE = ReplacingMergeTree(version, deleted) ORDER BY (chain, account, coin, opened_at, tid, extra, part) SETTINGS index_granularity = 1024;

-- The same as the walk leaves it, before funding and extremes. Used up by the run.
CREATE TABLE IF NOT EXISTS hl_walked AS hl_trips ENGINE = MergeTree ORDER BY (chain, version, account, coin, opened_at) TTL toDateTime(intDiv(version, 1000)) + INTERVAL 1 DAY;

-- Grain: one metric of one account as a run found it; samples: how many observations it is of. Used up by the run.
CREATE TABLE IF NOT EXISTS hl_measured (
  chain LowCardinality(String), run UInt64, account FixedString(20), metric LowCardinality(String), value Float64, samples UInt64
) ENGINE = MergeTree ORDER BY (chain, run, account, metric) TTL toDateTime(intDiv(run, 1000)) + INTERVAL 1 DAY;

-- Grain: one account as it was judged last, over the window before judged_at (the venue's time, of the newest fill known then). metrics: by name, those alone that have
-- the samples their rule asks for. style: SNIPER, DIRECTIONAL, STEAMROLLER, HEDGER; MARKET_MAKER and SCALPER are told apart from these; '' is unclassified. reasons: the
-- rule, its version and the numbers it saw. flags: wash, blow_up, history_truncated, vault. Read it FINAL.
CREATE TABLE IF NOT EXISTS hl_traders (
  chain LowCardinality(String), account FixedString(20), judged_at DateTime64(3, 'UTC'), window_days UInt16, first_at DateTime64(3, 'UTC'), last_at DateTime64(3, 'UTC'), trips UInt32, net_usd Float64, volume_usd Float64, liquidations UInt32,
  metrics Map(LowCardinality(String), Float64), style LowCardinality(String), rule LowCardinality(String), rule_version UInt16, reasons Array(String), flags Array(LowCardinality(String)),
  copy_score Float64, copy_version UInt16, copy_reasons Array(String), suspicion Float64, insider_version UInt16, evidence Array(Tuple(rule String, points Float64, detail String)), top_coin LowCardinality(String), funded_at Nullable(DateTime64(3, 'UTC')), version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, account) SETTINGS index_granularity = 1024;

-- Grain: one opened position that looks informed, with what speaks for it. moved: of the price in its direction within moved_hours. Read it FINAL.
CREATE TABLE IF NOT EXISTS hl_insider_trades (
  chain LowCardinality(String), account FixedString(20), coin LowCardinality(String), opened_at DateTime64(3, 'UTC'), tid UInt64, extra UInt64, part UInt8, side Enum8('long' = 1, 'short' = 2), score Float64, entry_px Float64, value_usd Float64,
  leverage Nullable(Float64), moved Nullable(Float64), moved_hours Float64, pnl_usd Nullable(Float64), evidence Array(Tuple(rule String, points Float64, detail String)), rule_version UInt16, version UInt64, deleted UInt8
) ENGINE = ReplacingMergeTree(version, deleted) ORDER BY (chain, account, coin, opened_at, tid, extra, part);

-- Grain: one run, written when all it computed is there: up to which segment it looked, as of which time of the venue.
CREATE TABLE IF NOT EXISTS hl_trader_runs (
  chain LowCardinality(String), run UInt64, upto UInt64, judged_at DateTime64(3, 'UTC'), accounts UInt64, computed_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (chain, run);

-- What the venue said last of an account's margin and positions. A position is open while it stands in the account's newest observation. Grain: one account on one dex; one position. Read them FINAL.
CREATE TABLE IF NOT EXISTS hl_newest_accounts (
  chain LowCardinality(String), account FixedString(20), dex LowCardinality(String), time DateTime64(3, 'UTC'), account_value Decimal(38, 18), withdrawable Decimal(38, 18)
) ENGINE = ReplacingMergeTree(time) ORDER BY (chain, account, dex)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_accounts_newest TO hl_newest_accounts AS SELECT chain, account, dex, time, account_value, withdrawable FROM hl_accounts;

CREATE TABLE IF NOT EXISTS hl_newest_positions (
  chain LowCardinality(String), account FixedString(20), dex LowCardinality(String), coin LowCardinality(String), time DateTime64(3, 'UTC'), szi Decimal(38, 18), entry_px Nullable(Decimal(38, 18)), position_value Decimal(38, 18), unrealized_pnl Decimal(38, 18),
  liquidation_px Nullable(Decimal(38, 18)), margin_used Decimal(38, 18), leverage_kind LowCardinality(String), leverage UInt32
) ENGINE = ReplacingMergeTree(time) ORDER BY (chain, account, dex, coin)
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS hl_positions_newest TO hl_newest_positions AS
SELECT chain, account, dex, coin, time, szi, entry_px, position_value, unrealized_pnl, liquidation_px, margin_used, leverage_kind, leverage FROM hl_positions;

-- What is told of an account's skill; null: too little is known. Of an account whose history is truncated what it earned is told and its skill is not. Narrow it by account where one is asked for.
CREATE VIEW IF NOT EXISTS hl_skills AS
SELECT chain, account, concat('0x', lower(hex(account))) AS address, trips AS trades, toBool(has(flags, 'history_truncated')) AS history_truncated, mapFilter((name, value) -> NOT history_truncated, metrics) AS skill,
  if(mapContains(skill, 'win_rate'), toNullable(skill['win_rate']), NULL) AS win_rate, if(mapContains(skill, 'profit_factor'), toNullable(skill['profit_factor']), NULL) AS profit_factor, if(mapContains(skill, 'payoff'), toNullable(skill['payoff']), NULL) AS payoff,
  if(mapContains(skill, 'roi'), toNullable(skill['roi']), NULL) AS roi, if(mapContains(skill, 'sharpe'), toNullable(skill['sharpe']), NULL) AS sharpe, if(mapContains(skill, 'max_drawdown'), toNullable(skill['max_drawdown']), NULL) AS max_drawdown,
  net_usd AS realised_pnl_usd, volume_usd, if(style IN ('SNIPER', 'DIRECTIONAL', 'STEAMROLLER', 'HEDGER') AND NOT history_truncated, toNullable(toString(style)), NULL) AS style, first_at AS first_trade_at, last_at AS last_trade_at, liquidations, metrics, reasons, flags, window_days, judged_at
FROM hl_traders FINAL;
