-- Chains as the dashboard shows them: newest block, what stage it has reached, how long batches take.
-- What is told of the newest block is its own: one of Bitcoin may be dated before the one below it, and has no gas: null. Grain: one chain with blocks. Parameters: none. Sort key: blocks (chain, block_number), by the newest of each chain; chunks by one column; batches by time of the last hour.
WITH
  recent AS (SELECT chain, stage, to_block, milliseconds, finished_at FROM batches WHERE finished_at > now64(3) - INTERVAL 1 HOUR)
SELECT b.chain AS chain, toFloat64(b.number) AS number, concat('0x', lower(hex(b.hash))) AS hash, b.block_time AS block_time, b.tx_count AS tx_count, if(b.chain = 'BTC', NULL, toNullable(toString(b.gas_used))) AS gas_used,
  if(b.chain = 'BTC', NULL, toNullable(toString(b.gas_limit))) AS gas_limit, toString(b.base_fee) AS base_fee, nullIf(r.stage, '') AS stage, r.latency AS latency, r.p99 AS p99,
  if(c.chain = '', NULL, toNullable(c.newest)) AS last_chunk_at,
  if(r.done_minute + d.died = 0, NULL, toNullable(d.died / (r.done_minute + d.died))) AS error_rate
FROM (
  SELECT chain, max(block_number) AS number, argMax(block_hash, block_number) AS hash, argMax(block_time, block_number) AS block_time, argMax(tx_count, block_number) AS tx_count, argMax(gas_used, block_number) AS gas_used,
    argMax(gas_limit, block_number) AS gas_limit, argMax(tuple(base_fee_per_gas), block_number).1 AS base_fee
  FROM blocks WHERE (chain, block_number) IN (SELECT s.chain, max(s.block_number) FROM blocks AS s GROUP BY s.chain) GROUP BY chain
) AS b
LEFT JOIN (
  SELECT chain, argMax(stage, (to_block, indexOf(['ingest', 'normalize', 'enrich', 'index', 'alert'], stage))) AS stage, toNullable(quantile(0.5)(milliseconds)) AS latency,
    toNullable(quantile(0.99)(milliseconds)) AS p99, countIf(finished_at > now64(3) - INTERVAL 1 MINUTE) AS done_minute
  FROM recent GROUP BY chain
) AS r ON r.chain = b.chain
LEFT JOIN (SELECT chain, max(block_time) AS newest FROM chunks GROUP BY chain) AS c ON c.chain = b.chain
LEFT JOIN (SELECT chain, count() AS died FROM dead_letters WHERE state = 'dead' AND at > now64(6) - INTERVAL 1 MINUTE GROUP BY chain) AS d ON d.chain = b.chain
ORDER BY b.chain
