-- What accounts traded, what it earned them, and who earned most. Dollars are Float64, amounts exact.

-- Grain: one token that one account bought or sold in one transaction with a swap: what it holds more or less of after all movements of the
-- transaction, so routers and what only passes through leave no row. The coin, its wrapped token and stablecoins are money and have no rows.
-- position: the first swap's log index. role: sender of the transaction, owner of an order that another sent, or party (any other account
-- that gave one token and got another: smart wallets, contracts, market makers). basis: 'netted', or 'legs' where the coin that came back
-- was not to be seen (no traces) and swaps tell its worth. usd is null while unknown. pool_amount: what the swaps say for the sender (0: they
-- do not); less than that received, or more given, is a fee of the token or of the route. gas is on the first row of a transaction only.
CREATE TABLE IF NOT EXISTS wallet_trades (
  chain LowCardinality(String), account FixedString(20), block_number UInt64, position UInt32, token FixedString(20), block_hash FixedString(32),
  block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), tx_index UInt32, tx_hash FixedString(32), side Enum8('buy' = 1, 'sell' = 2), role Enum8('sender' = 1, 'owner' = 2, 'party' = 3),
  basis LowCardinality(String), amount UInt256, pool_amount UInt256, usd Nullable(Float64), gas_wei UInt256, gas_usd Nullable(Float64), generation UInt32,
  INDEX by_block block_number TYPE minmax GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, account, block_number, position, token)
SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 1024;

-- Tokens whose balances change without a transfer: what a holder has cannot be told from transfers. Grain: one token.
CREATE TABLE IF NOT EXISTS token_traits (
  chain LowCardinality(String), token FixedString(20), trait LowCardinality(String), source String, version UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, token, trait);

INSERT INTO token_traits (chain, token, trait, source, version) SELECT 'ETH', unhex(listed.2), 'rebasing', listed.1, 0 FROM (SELECT arrayJoin([
  ('Lido stETH', 'ae7ab96520de3a18e5e111b5eaab095312d7fe84'), ('Ampleforth AMPL', 'd46ba6d942050d489dbd938a2c909a5d5039a161'), ('ether.fi eETH', '35fa164735182de50811e8e2e824cfb9b6118ac2'),
  ('Origin OETH', '856c4efb76c1d1ae02e20ceb03a2a6a08b0b8dc3'), ('Origin OUSD', '2a8e1e676ec238d8a992307b495b45b3feaa5e86'), ('Aave aEthWETH', '4d5f47fa6a74757f35c14fd3a6ef8e3c9bc514e8'),
  ('Aave aEthUSDC', '98c23e9d8f34fefb1b7bd6a91b7ff122f4e16f5c')]) AS listed);

-- What came to and went from an account of one token in one transaction, up to a height: by trade, else by transfer (kind 'in', 'out').
-- Grain: one token of one account in one transaction. Narrow it by chain and account. Amounts from 2^200 on are left out. usd is -1 while unknown.
CREATE VIEW IF NOT EXISTS wallet_moves AS
SELECT chain, account, token, block_number, min(place) AS position, any(time) AS at, max(side) AS traded,
  multiIf(traded > 0, traded, sum(moved) > 0, 3, 4) AS kind, if(traded > 0, sum(amount), toInt256(abs(sum(moved)))) AS quantity, max(worth) AS usd
FROM (
  SELECT chain, account, token, block_number, tx_hash, position AS place, block_time AS time, toInt8(t.side) AS side, toInt256(t.amount) AS amount, toInt256(0) AS moved, ifNull(t.usd, -1) AS worth
  FROM wallet_trades AS t WHERE t.block_number <= {upto:UInt64}
  UNION ALL
  SELECT chain, address AS account, token, block_number, tx_hash, position, block_time, toInt8(0), toInt256(0), if(direction = 'in', toInt256(m.amount), -toInt256(m.amount)), toFloat64(-1)
  FROM address_transfers AS m WHERE m.kind = 'erc20' AND m.block_number <= {upto:UInt64} AND m.amount < bitShiftLeft(toUInt256(1), 200)
)
GROUP BY chain, account, token, block_number, tx_hash
HAVING quantity > 0;

-- The ledger of one token of one account up to a height, for tokens it traded. Grain: one token of one account. Narrow it by chain and account.
-- What was bought at a known price makes lots; what came by transfer, or was bought at an unknown price, is kept apart (unpriced) and never
-- costs zero. A sale takes from lots, the oldest first, and what exceeds them has no cost and no result. What leaves by transfer takes
-- from the unpriced first, then from lots, and earns nothing. closings: one per sale, (block, Unix time, sold, matched with lots, proceeds
-- of all that was sold or -1, result by average cost, result by FIFO, seconds held × matched); results are of the matched part, before gas,
-- and 0 where proceeds are unknown. lots: (start, end, dollars, Unix time) on the axis of all that was bought at a known price, of which
-- `closed` is gone. More than 10,000 moves are not folded (folded is false, and closings and lots are empty).
CREATE VIEW IF NOT EXISTS wallet_ledgers AS
SELECT chain, account, token, moves, buys, sells, unvalued, bought, sold, moved_in, moved_out, volume_usd, first_at, last_at, same_block, moves <= 10000 AS folded,
  result.2 - result.3 AS held, result.5 AS unpriced, result.3 AS closed, result.4 AS cost_usd, result.1 AS lots, result.6 AS closings
FROM (
  SELECT *, arrayFold((past, e) -> arrayMap(take -> (
      arrayFilter(lot -> lot.2 > past.3 + take, if(e.3 = 1 AND e.5 >= 0, arrayPushBack(past.1, (past.2, past.2 + e.4, e.5, e.6)), past.1)),
      if(e.3 = 1 AND e.5 >= 0, past.2 + e.4, past.2),
      past.3 + take,
      if(take = past.2 - past.3, 0, past.4 * (1 - if(take = 0, 0, toFloat64(take) / toFloat64(past.2 - past.3)))) + if(e.3 = 1 AND e.5 >= 0, e.5, 0),
      past.5 + multiIf(e.3 = 3 OR (e.3 = 1 AND e.5 < 0), e.4, e.3 = 1, toInt256(0), e.3 = 4, -least(e.4, past.5), -least(e.4 - take, past.5)),
      if(e.3 != 2, past.6, arrayPushBack(past.6, (e.1, e.6, e.4, take, e.5,
        if(e.5 < 0 OR take = 0, 0, e.5 * toFloat64(take) / toFloat64(e.4) - past.4 * toFloat64(take) / toFloat64(past.2 - past.3)),
        if(e.5 < 0 OR take = 0, 0, e.5 * toFloat64(take) / toFloat64(e.4)
          - arraySum(lot -> lot.3 * toFloat64(greatest(least(lot.2, past.3 + take) - greatest(lot.1, past.3), toInt256(0))) / toFloat64(lot.2 - lot.1), past.1)),
        arraySum(lot -> toFloat64(greatest(least(lot.2, past.3 + take) - greatest(lot.1, past.3), toInt256(0))) * (toFloat64(e.6) - toFloat64(lot.4)), past.1))))),
    [multiIf(e.3 = 2, least(e.4, past.2 - past.3), e.3 = 4, least(greatest(e.4 - past.5, toInt256(0)), past.2 - past.3), toInt256(0))])[1],
    events, ([]::Array(Tuple(Int256, Int256, Float64, UInt32)), toInt256(0), toInt256(0), toFloat64(0), toInt256(0),
      []::Array(Tuple(UInt64, UInt32, Int256, Int256, Float64, Float64, Float64, Float64)))) AS result
  FROM (
    SELECT chain, account, token, count() AS moves, countIf(m.kind = 1) AS buys, countIf(m.kind = 2) AS sells, countIf(m.kind <= 2 AND m.usd < 0) AS unvalued,
      sumIf(m.quantity, m.kind = 1) AS bought, sumIf(m.quantity, m.kind = 2) AS sold, sumIf(m.quantity, m.kind = 3) AS moved_in, sumIf(m.quantity, m.kind = 4) AS moved_out,
      arraySum(arraySort(groupArrayIf(m.usd, m.kind <= 2 AND m.usd >= 0))) AS volume_usd, min(m.at) AS first_at, max(m.at) AS last_at,
      countIf(m.kind <= 2) - uniqExactIf(m.block_number, m.kind <= 2) AS same_block,
      if(count() > 10000, [], arraySort(groupArray((m.block_number, m.position, m.kind, m.quantity, m.usd, toUInt32(toUnixTimestamp(m.at)))))) AS events
    FROM wallet_moves(upto = {upto:UInt64}) AS m
    GROUP BY chain, account, token
    HAVING max(m.traded) > 0
  )
  WHERE NOT dictGet('token_of', 'stable', (toString(chain), concat('0x', lower(hex(token)))))
);

-- Who counts as a leader: the rule, open and versioned. Grain: one version of one rule; the newest counts. A wallet is scored when it closed
-- min_closed lots with a known result in min_tokens tokens, traded for min_volume_usd, makes at most max_trades_per_day, has at most
-- max_same_block_share of its trades beside another in the same block, sold at most max_unknown_share without a known cost or price, sent a
-- transaction or owned an order itself, and has no excluded class. Left out before: tokens that rebase, and wash (churn from wash_churn on,
-- wash_trips round trips, wash_min_usd traded, a result within wash_result_share of that). Scored wallets are kept whatever they earned;
-- leaders are those in the top_share (at most most_leaders) by result after gas who gained, less than max_best_share of it in one token.
-- Wash is one wallet's own churn in one token. Circles of wallets that hand a token round are not looked for here: what came by transfer has no cost, so it
-- earns nobody a result. Momentum of tokens does look for circles of two and three.
CREATE TABLE IF NOT EXISTS leader_rules (
  rule LowCardinality(String), version UInt16, min_closed UInt32, min_tokens UInt32, min_volume_usd Float64, max_trades_per_day Float64, max_same_block_share Float64, max_unknown_share Float64,
  max_best_share Float64, top_share Float64, most_leaders UInt32, wash_churn Float64, wash_trips UInt32, wash_min_usd Float64, wash_result_share Float64,
  in_force_after UInt32, excluded_classes Array(String)
) ENGINE = ReplacingMergeTree ORDER BY (rule, version);

INSERT INTO leader_rules VALUES ('smart_trader', 1, 20, 5, 10000, 100, 0.1, 0.5, 0.5, 0.01, 500, 0.95, 10, 10000, 0.01, 300,
  ['exchange', 'dex', 'lending', 'bridge', 'mixer', 'token', 'stablecoin', 'contract', 'miner', 'service', 'mev', 'mev_bot', 'bot']);

-- Grain: one scored wallet over one number of days that end at a height (as_of). Results are in dollars by average cost and by FIFO, before
-- gas; net_usd is by average cost after gas. unknown_share: of what was sold, by trades, how much had no known cost or price.
CREATE TABLE IF NOT EXISTS leader_scores (
  chain LowCardinality(String), rule LowCardinality(String), rule_version UInt16, as_of UInt64, days UInt16, account FixedString(20), realised_usd Float64, fifo_usd Float64, gas_usd Float64, net_usd Float64,
  volume_usd Float64, trades UInt32, closed UInt32, wins UInt32, tokens UInt32, best_token FixedString(20), best_usd Float64, unknown_share Float64, hold_hours Float64
) ENGINE = MergeTree ORDER BY (chain, as_of, days, account)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one leader over one number of days at a height. It speaks for blocks from in_force_from on, until the next run does. in_force_from is
-- fixed when the run lands, in_force_after above the highest block that is planned then, so a run changes nothing about blocks that were
-- processed before it: the first time and again they raise the same alerts. Leaders count whose in_force_from is that of a run in leader_runs.
CREATE TABLE IF NOT EXISTS leaders (
  chain LowCardinality(String), rule LowCardinality(String), rule_version UInt16, as_of UInt64, in_force_from UInt64, days UInt16, account FixedString(20), rank UInt32, net_usd Float64
) ENGINE = MergeTree ORDER BY (chain, in_force_from, account, days)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one run, written when its scores and leaders are. as_of_time: of that block.
CREATE TABLE IF NOT EXISTS leader_runs (
  chain LowCardinality(String), rule LowCardinality(String), rule_version UInt16, as_of UInt64, as_of_time DateTime64(3, 'UTC'), in_force_from UInt64, computed_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (chain, in_force_from)
SETTINGS non_replicated_deduplication_window = 10000;

INSERT INTO alert_thresholds (rule, chain, threshold, unit, severity, version) VALUES ('copy_trade', 'ETH', 1000, 'usd', 'low', 0);
