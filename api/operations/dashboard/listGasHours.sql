-- Gas by clock hour: base fees, the median priority fee, how full blocks were, what was burnt, in wei; null before the chain had a base fee.
-- Grain: one hour. Parameters: chain, first, newest. Sort key: blocks and transactions (chain, block_number, …), by both bounds.
WITH heads AS (SELECT * FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64})
SELECT b.at AS hour, toFloat64(b.blocks) AS blocks, toFloat64(b.txs) AS transactions, b.lowest AS base_fee_min, b.median AS base_fee_median, b.highest AS base_fee_max,
  if(t.known = 0, NULL, toNullable(toString(t.median))) AS priority_fee_median, b.full AS utilisation, b.burnt AS burnt
FROM (
  SELECT toStartOfHour(block_time) AS at, count() AS blocks, sum(tx_count) AS txs, toString(min(base_fee_per_gas)) AS lowest, toString(quantileExact(0.5)(base_fee_per_gas)) AS median,
    toString(max(base_fee_per_gas)) AS highest, sum(gas_used) / sum(gas_limit) AS full, toString(sum(toUInt256(gas_used) * base_fee_per_gas)) AS burnt
  FROM heads GROUP BY at
) AS b
LEFT JOIN (
  SELECT at, countIf(priced) AS known, quantileExactIf(0.5)(tip, priced) AS median
  FROM (
    SELECT toStartOfHour(h.block_time) AS at, ifNull(x.gas_price >= h.base_fee_per_gas, false) AS priced, if(priced, x.gas_price - assumeNotNull(h.base_fee_per_gas), 0) AS tip
    FROM transactions AS x INNER JOIN heads AS h ON h.block_number = x.block_number
    WHERE x.chain = {chain:String} AND x.block_number BETWEEN {first:UInt64} AND {newest:UInt64}
  )
  GROUP BY at
) AS t ON t.at = b.at
ORDER BY hour
