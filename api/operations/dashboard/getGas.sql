-- What gas cost in a span, the newest base fee, and the next block's by the protocol's rule (EIP-1559), in wei and exact.
-- Priority fees are what was paid above the base fee; null before the chain had one. Levels: 10, 25, 50, 75, 90, 99 per cent of the transactions.
-- Grain: one row. Parameters: chain, first, newest. Sort key: blocks and transactions (chain, block_number, …), by both bounds.
WITH
  (SELECT tuple(block_number, block_time, base_fee_per_gas, gas_used, gas_limit) FROM blocks WHERE chain = {chain:String} AND block_number = {newest:UInt64} LIMIT 1) AS head,
  assumeNotNull(head.3) AS base, toUInt256(head.4) AS used, toUInt256(intDiv(head.5, 2)) AS target
SELECT toFloat64(head.1) AS block_number, head.2 AS timestamp, if(isNull(head.3), NULL, toString(base)) AS base_fee,
  if(isNull(head.3) OR target = 0, NULL, toNullable(toString(multiIf(used = target, base,
    used > target, base + greatest(intDiv(intDiv(base * (used - least(used, target)), greatest(target, 1)), 8), 1),
    base - intDiv(intDiv(base * (target - least(used, target)), greatest(target, 1)), 8))))) AS next_base_fee,
  toFloat64(count()) AS transactions, toFloat64(countIf(known)) AS priced,
  arrayMap(x -> toString(x), quantilesExact(0.1, 0.25, 0.5, 0.75, 0.9, 0.99)(price)) AS gas_prices,
  arrayMap(x -> toString(x), quantilesExactIf(0.1, 0.25, 0.5, 0.75, 0.9, 0.99)(priority, known)) AS priority_fees
FROM (
  SELECT t.gas_price AS price, b.base_fee_per_gas IS NOT NULL AND t.gas_price >= b.base_fee_per_gas AS known, if(known, t.gas_price - assumeNotNull(b.base_fee_per_gas), 0) AS priority
  FROM transactions AS t
  INNER JOIN (SELECT block_number, base_fee_per_gas FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64}) AS b ON b.block_number = t.block_number
  WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64}
)
