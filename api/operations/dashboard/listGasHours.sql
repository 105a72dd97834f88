-- Gas by clock hour: base fees, the median priority fee, how full blocks were, what was burnt, in wei; null before the chain had a base fee.
-- Burnt are base fees and fees for blobs; null where the price of some of the blobs that blocks hold is not known.
-- Grain: one hour. Parameters: chain, first, newest. Sort key: blocks and transactions (chain, block_number, …), by both bounds.
WITH heads AS (SELECT * FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64})
SELECT b.at AS hour, toFloat64(b.blocks) AS blocks, toFloat64(b.txs) AS transactions, b.lowest AS base_fee_min, b.median AS base_fee_median, b.highest AS base_fee_max,
  if(t.known = 0, NULL, toNullable(toString(t.median))) AS priority_fee_median, b.full AS utilisation,
  if(ifNull(b.blob_gas, 0) = t.blob_gas, toString(b.burnt + t.blob_fees), NULL) AS burnt
FROM (
  SELECT toStartOfHour(block_time) AS at, count() AS blocks, sum(tx_count) AS txs, toString(min(base_fee_per_gas)) AS lowest, toString(quantileExact(0.5)(base_fee_per_gas)) AS median,
    toString(max(base_fee_per_gas)) AS highest, sum(gas_used) / sum(gas_limit) AS full, sum(toUInt256(gas_used) * base_fee_per_gas) AS burnt, sum(blob_gas_used) AS blob_gas
  FROM heads GROUP BY at
) AS b
LEFT JOIN (
  SELECT at, countIf(priced) AS known, quantileExactIf(0.5)(tip, priced) AS median, sum(if(isNull(blob_price), 0, ifNull(blobs, 0))) AS blob_gas, sum(ifNull(toUInt256(blobs) * blob_price, 0)) AS blob_fees
  FROM (
    SELECT toStartOfHour(h.block_time) AS at, ifNull(x.gas_price >= h.base_fee_per_gas, false) AS priced, if(priced, x.gas_price - assumeNotNull(h.base_fee_per_gas), 0) AS tip,
      x.blob_gas_used AS blobs, x.blob_gas_price AS blob_price
    FROM transactions AS x INNER JOIN heads AS h ON h.block_number = x.block_number
    WHERE x.chain = {chain:String} AND x.block_number BETWEEN {first:UInt64} AND {newest:UInt64}
  )
  GROUP BY at
) AS t ON t.at = b.at
ORDER BY hour
