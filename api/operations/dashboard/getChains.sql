-- Chains as the dashboard shows them: newest block, what stage it has reached, how long batches take, how the lag went.
-- What is told of the newest block is its own: one of Bitcoin may be dated before the one below it, and has no gas: null. Grain: one chain with blocks. Parameters: none. Sort key: blocks and chunks (chain, block_number); batches by time of the last hour, and for the lag those that passed enrich.
WITH
  recent AS (SELECT chain, stage, to_block, milliseconds, finished_at FROM batches WHERE finished_at > now64(3) - INTERVAL 1 HOUR),
  looks AS (SELECT chain, number, observed_at FROM heads WHERE observed_at > now64(3) - INTERVAL 1 HOUR ORDER BY chain, observed_at DESC LIMIT 20 BY chain),
  rollbacks AS (SELECT chain, generation, from_block, at FROM plans WHERE kind = 'rollback'),
  -- From when to when blocks were told of up to a height: batches that passed enrich, until a rollback ended them. Each rollback is of the next generation, so the first behind a batch's own says what all of before the hour have left of it.
  told AS (
    SELECT b.chain AS chain, greatest(b.finished_at, now64(3, 'UTC') - INTERVAL 1 HOUR) AS since, max(b.to_block) AS top,
      arrayReduce('min', arrayPushBack(arrayMap(x -> x.3, arrayFilter(x -> x.1 > b.generation AND x.2 <= b.to_block, late.ends)), toDateTime64('2200-01-01 00:00:00', 3, 'UTC'))) AS until
    FROM batches AS b
    LEFT JOIN (SELECT chain, generation, min(from_block) OVER (PARTITION BY chain ORDER BY generation DESC) AS cut FROM rollbacks WHERE at <= now64(3) - INTERVAL 1 HOUR) AS early ON early.chain = b.chain AND early.generation = b.generation + 1
    LEFT JOIN (SELECT chain, groupArray((generation, from_block, at)) AS ends FROM rollbacks WHERE at > now64(3) - INTERVAL 1 HOUR GROUP BY chain) AS late ON late.chain = b.chain
    -- A venue, whose batches are the most by far, has no blocks and is not shown.
    WHERE b.stage = 'enrich' AND b.chain IN (SELECT s.chain FROM blocks AS s GROUP BY s.chain) AND (early.chain = '' OR b.to_block < early.cut)
    GROUP BY chain, since, until
  )
SELECT b.chain AS chain, toFloat64(b.number) AS number, concat('0x', lower(hex(b.hash))) AS hash, b.block_time AS block_time, b.tx_count AS tx_count, if(b.chain = 'BTC', NULL, toNullable(toString(b.gas_used))) AS gas_used,
  if(b.chain = 'BTC', NULL, toNullable(toString(b.gas_limit))) AS gas_limit, toString(b.base_fee) AS base_fee, nullIf(r.stage, '') AS stage, r.latency AS latency, r.p99 AS p99,
  if(c.chain = '', NULL, toNullable(c.newest)) AS last_chunk_at, l.history AS lag_history,
  if(r.done_minute + d.died = 0, NULL, toNullable(d.died / (r.done_minute + d.died))) AS error_rate
FROM (
  SELECT chain, max(block_number) AS number, argMax(block_hash, block_number) AS hash, argMax(block_time, block_number) AS block_time, argMax(tx_count, block_number) AS tx_count, argMax(gas_used, block_number) AS gas_used,
    argMax(gas_limit, block_number) AS gas_limit, argMax(tuple(base_fee_per_gas), block_number).1 AS base_fee
  FROM blocks GROUP BY chain
) AS b
LEFT JOIN (
  SELECT chain, argMax(stage, (to_block, indexOf(['ingest', 'normalize', 'enrich', 'index', 'alert'], stage))) AS stage, toNullable(quantile(0.5)(milliseconds)) AS latency,
    toNullable(quantile(0.99)(milliseconds)) AS p99, countIf(finished_at > now64(3) - INTERVAL 1 MINUTE) AS done_minute
  FROM recent GROUP BY chain
) AS r ON r.chain = b.chain
LEFT JOIN (SELECT chain, max(block_time) AS newest FROM chunks GROUP BY chain) AS c ON c.chain = b.chain
LEFT JOIN (
  SELECT chain, groupArray(lag) AS history FROM (
    SELECT h.chain AS chain, h.observed_at AS observed_at, greatest(0., toFloat64(any(h.number)) - toFloat64(max(t.top))) AS lag
    FROM looks AS h INNER JOIN told AS t ON t.chain = h.chain
    WHERE t.since <= h.observed_at AND h.observed_at < t.until
    GROUP BY chain, observed_at
    ORDER BY chain, observed_at
  ) GROUP BY chain
) AS l ON l.chain = b.chain
LEFT JOIN (SELECT chain, count() AS died FROM dead_letters WHERE state = 'dead' AND at > now64(6) - INTERVAL 1 MINUTE GROUP BY chain) AS d ON d.chain = b.chain
ORDER BY b.chain
