-- How aggregates are read: the newest version of every segment, summed per hour and per day. Reads are bounded by hour, so FINAL
-- merges a few segments only.

CREATE VIEW IF NOT EXISTS token_hours AS
SELECT chain, hour, token, sum(transfers) AS transfers, sum(amount) AS amount, sum(value_usd) AS value_usd, sum(priced_transfers) AS priced_transfers,
  uniqCombined64Merge(senders) AS senders, uniqCombined64Merge(receivers) AS receivers
FROM token_segments FINAL GROUP BY chain, hour, token;

CREATE VIEW IF NOT EXISTS token_days AS
SELECT chain, toDate(hour) AS day, token, sum(transfers) AS transfers, sum(amount) AS amount, sum(value_usd) AS value_usd, sum(priced_transfers) AS priced_transfers,
  uniqCombined64Merge(senders) AS senders, uniqCombined64Merge(receivers) AS receivers
FROM token_segments FINAL GROUP BY chain, day, token;

CREATE VIEW IF NOT EXISTS pair_hours AS
SELECT chain, hour, token_a, token_b, protocol, sum(swaps) AS swaps, sum(amount_a) AS amount_a, sum(amount_b) AS amount_b, sum(value_usd) AS value_usd,
  sum(priced_swaps) AS priced_swaps, uniqCombined64Merge(traders) AS traders
FROM pair_segments FINAL GROUP BY chain, hour, token_a, token_b, protocol;

CREATE VIEW IF NOT EXISTS pair_days AS
SELECT chain, toDate(hour) AS day, token_a, token_b, protocol, sum(swaps) AS swaps, sum(amount_a) AS amount_a, sum(amount_b) AS amount_b, sum(value_usd) AS value_usd,
  sum(priced_swaps) AS priced_swaps, uniqCombined64Merge(traders) AS traders
FROM pair_segments FINAL GROUP BY chain, day, token_a, token_b, protocol;

CREATE VIEW IF NOT EXISTS class_hours AS
SELECT chain, hour, from_class, to_class, token, sum(transfers) AS transfers, sum(amount) AS amount, sum(value_usd) AS value_usd, sum(priced_transfers) AS priced_transfers
FROM class_segments FINAL GROUP BY chain, hour, from_class, to_class, token;

CREATE VIEW IF NOT EXISTS class_days AS
SELECT chain, toDate(hour) AS day, from_class, to_class, token, sum(transfers) AS transfers, sum(amount) AS amount, sum(value_usd) AS value_usd, sum(priced_transfers) AS priced_transfers
FROM class_segments FINAL GROUP BY chain, day, from_class, to_class, token;

CREATE VIEW IF NOT EXISTS entity_hours AS
SELECT chain, hour, entity, token, sum(transfers_in) AS transfers_in, sum(amount_in) AS amount_in, sum(usd_in) AS usd_in, sum(transfers_out) AS transfers_out,
  sum(amount_out) AS amount_out, sum(usd_out) AS usd_out, sum(transfers_internal) AS transfers_internal, sum(amount_internal) AS amount_internal
FROM entity_segments FINAL GROUP BY chain, hour, entity, token;

CREATE VIEW IF NOT EXISTS entity_days AS
SELECT chain, toDate(hour) AS day, entity, token, sum(transfers_in) AS transfers_in, sum(amount_in) AS amount_in, sum(usd_in) AS usd_in, sum(transfers_out) AS transfers_out,
  sum(amount_out) AS amount_out, sum(usd_out) AS usd_out, sum(transfers_internal) AS transfers_internal, sum(amount_internal) AS amount_internal
FROM entity_segments FINAL GROUP BY chain, day, entity, token;

CREATE VIEW IF NOT EXISTS address_hours AS
SELECT chain, address, hour, sum(transfers_in) AS transfers_in, sum(usd_in) AS usd_in, sum(transfers_out) AS transfers_out, sum(usd_out) AS usd_out
FROM address_segments FINAL GROUP BY chain, address, hour;

CREATE VIEW IF NOT EXISTS address_days AS
SELECT chain, address, toDate(hour) AS day, sum(transfers_in) AS transfers_in, sum(usd_in) AS usd_in, sum(transfers_out) AS transfers_out, sum(usd_out) AS usd_out
FROM address_segments FINAL GROUP BY chain, address, day;

-- One row per address: when it was first and last seen and what it moved. Narrow it by address: that is the sort key.
CREATE VIEW IF NOT EXISTS wallets AS
SELECT chain, address, sum(transfers_in) AS transfers_in, sum(usd_in) AS usd_in, sum(transfers_out) AS transfers_out, sum(usd_out) AS usd_out,
  min(first_block) AS first_block, max(last_block) AS last_block, min(first_time) AS first_seen, max(last_time) AS last_seen
FROM address_segments FINAL GROUP BY chain, address;

-- Pools and their tokens: created in sight, or recomputed from a known factory, or inferred alike in two transactions.
CREATE VIEW IF NOT EXISTS pools AS
SELECT chain, pool, argMax(s.protocol, (s.source = 'created', s.trusted, s.block_number)) AS protocol, argMax(s.tokens, (s.source = 'created', s.trusted, s.block_number)) AS tokens,
  argMax(s.factory, (s.source = 'created', s.trusted, s.block_number)) AS factory, max(s.trusted) AS trusted, min(s.block_number) AS first_block, uniqExact(s.tx_hash) AS sightings,
  countIf(s.source = 'created') > 0 OR max(s.trusted) OR (uniqExact(s.tx_hash) >= 2 AND uniqExact(s.tokens) = 1) AS accepted
FROM pool_sightings AS s GROUP BY chain, pool;

-- Batches that are live: planned and not ended by a later rollback. Grain: one batch.
CREATE VIEW IF NOT EXISTS live_batches AS
SELECT p.chain AS chain, p.seq AS seq, p.from_block AS from_block, p.to_block AS to_block, p.hash AS hash, p.parent_hash AS parent_hash, p.generation AS generation,
  p.target AS target, p.floor AS floor, p.at AS planned_at
FROM plans AS p
LEFT JOIN (SELECT chain, groupArray((seq, from_block)) AS ended FROM plans WHERE kind = 'rollback' GROUP BY chain) AS r ON r.chain = p.chain
WHERE p.kind = 'plan' AND NOT arrayExists(x -> x.1 > p.seq AND p.to_block >= x.2, r.ended);
