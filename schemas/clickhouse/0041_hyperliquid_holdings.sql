-- What accounts hold and have earned, as of the beginning of each look at the market, is kept from look to look: a look reads what was heard since, not all the days before.

-- How a look came to what accounts held when it began. base: the look that wrote all of them, itself or one before. prior: the look it goes on from, with its base, end and last segment; null: worked out of
-- all fills. known, generations: fills of those segments within the days that count, and the sum of their generations: other numbers at the next look say that they are not what was read.
-- rules: hash of the numbers of the bars. based_at: when the base was written. Grain: one look.
CREATE TABLE IF NOT EXISTS hl_holding_looks (
  chain LowCardinality(String), look DateTime('UTC'), until DateTime('UTC'), through UInt64, base DateTime('UTC'), based_at DateTime('UTC'), prior Nullable(DateTime('UTC')), prior_base DateTime('UTC'), prior_until DateTime('UTC'), prior_through UInt64,
  rules UInt64, known UInt64, generations UInt64
) ENGINE = MergeTree ORDER BY (chain, look)
SETTINGS non_replicated_deduplication_window = 10000;

-- What an account holds of a coin by the fills known before a look, and what it dealt within the days in which leaders are looked for. Changes since the base alone: the newest row of an account and coin counts.
-- moment: of its newest fills, which are all in fills: those of one moment have no order of their own. held: what they left. usd: dealt; profit: closed, less fees; both only of fills whose own time is before the look.
-- Grain: one account and coin at one look at which it changed, or at a base.
CREATE TABLE IF NOT EXISTS hl_holdings (
  chain LowCardinality(String), base DateTime('UTC'), look DateTime('UTC'), account FixedString(20), coin LowCardinality(String), moment DateTime64(3, 'UTC'), fills Array(Tuple(tid UInt64, extra UInt64, before Decimal(38, 18), change Decimal(38, 18))),
  held Decimal(38, 18), usd Decimal(76, 36), profit Decimal(38, 18), at DateTime('UTC')
) ENGINE = MergeTree PARTITION BY toYYYYMMDD(at) ORDER BY (chain, base, account, coin, look) TTL at + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- What stood when a look began: newest rows of its base whose fills are not older than the days that count. Grain: one account and coin. Parameters: chain, from_time (Unix seconds, when the look begins).
CREATE VIEW IF NOT EXISTS hl_held AS
WITH (SELECT argMax(least, revision) FROM hl_signal_rules WHERE kind = 'bars') AS numbers
SELECT h.account AS account, toString(h.coin) AS coin, argMax(h.moment, h.look) AS newest, argMax(h.held, h.look) AS holds, argMax(h.usd, h.look) AS dealt, argMax(h.profit, h.look) AS earned FROM hl_holdings AS h
WHERE h.chain = {chain:String} AND h.base = (SELECT any(l.base) FROM hl_holding_looks AS l WHERE l.chain = {chain:String} AND l.look = toDateTime({from_time:UInt32}, 'UTC')) AND h.look <= toDateTime({from_time:UInt32}, 'UTC')
GROUP BY h.account, h.coin HAVING newest >= toDateTime({from_time:UInt32}, 'UTC') - toIntervalDay(toUInt32(numbers['smart_days']));

-- Who led when a look began. Grain: one account at one look.
CREATE TABLE IF NOT EXISTS hl_leading (chain LowCardinality(String), look DateTime('UTC'), account FixedString(20)) ENGINE = MergeTree PARTITION BY toYYYYMM(look) ORDER BY (chain, look, account)
SETTINGS non_replicated_deduplication_window = 10000;
DROP VIEW IF EXISTS hl_leaders;

-- Segments follow the time of hearing, so granules of others are left out.
ALTER TABLE hl_fills ADD INDEX IF NOT EXISTS by_block block_number TYPE minmax GRANULARITY 1;

-- state: '' (nobody heard it, and no answer filled it), 'waits' (it has yet to be asked for; coin '': of all coins), 'over' (all of it was asked for: the one that waited says nothing any more).
ALTER TABLE hl_gaps ADD COLUMN IF NOT EXISTS state LowCardinality(String) DEFAULT '' AFTER reason;
DROP VIEW IF EXISTS hl_items_gaps;
CREATE MATERIALIZED VIEW IF NOT EXISTS hl_items_gaps TO hl_gaps AS
SELECT chain, block_number, source, heard_at, heard_at AS time, g.channel AS channel, g.coin AS coin, fromUnixTimestamp64Milli(g.from, 'UTC') AS from_time, fromUnixTimestamp64Milli(g.to, 'UTC') AS to_time, g.reason AS reason, g.state AS state, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(channel String, coin String, from Int64, to Int64, reason String, state String)') AS g FROM hl_items WHERE type = 'gap') AS i
WHERE g.channel != '';

-- Gaps that stand: what was asked for since and filled is none. Grain: one stretch of a channel. Narrow it by chain and time.
CREATE VIEW IF NOT EXISTS hl_standing_gaps AS
SELECT g.* FROM hl_gaps AS g
WHERE g.state != 'over' AND (g.state = '' OR (g.chain, g.channel, g.from_time, g.to_time) NOT IN (SELECT o.chain, o.channel, o.from_time, o.to_time FROM hl_gaps AS o WHERE o.state = 'over'));
