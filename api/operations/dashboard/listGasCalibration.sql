-- How good an estimate a percentile of the last block's priority fees was: how often who had paid it would have been let into one of the next blocks.
-- Let in means: at least the 10th percentile of what that block's transactions paid above the base fee (those that paid nothing are the builder's own and left out).
-- Only where the next blocks all follow without a hole. Grain: one percentile and one number of blocks. Parameters: chain, first, newest.
-- Sort key: blocks and transactions (chain, block_number, …), by both bounds.
WITH
  paid AS (
    SELECT t.block_number AS n, quantilesExact(0.1, 0.25, 0.5, 0.75, 0.9)(t.gas_price - assumeNotNull(b.base_fee_per_gas)) AS fees
    FROM transactions AS t
    INNER JOIN (SELECT block_number, base_fee_per_gas FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND base_fee_per_gas IS NOT NULL) AS b ON b.block_number = t.block_number
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND t.gas_price > assumeNotNull(b.base_fee_per_gas)
    GROUP BY n
  ),
  ahead AS (
    SELECT n, fees, groupArray((n, fees[1])) OVER (ORDER BY n ROWS BETWEEN 1 FOLLOWING AND 6 FOLLOWING) AS next FROM paid
  )
SELECT toFloat64([10, 25, 50, 75, 90][asked.1]) AS percentile, toFloat64(asked.2) AS blocks, toFloat64(count()) AS samples, countIf(arrayExists(x -> fees[asked.1] >= x.2, arraySlice(next, 1, asked.2))) / count() AS included_share
FROM ahead
ARRAY JOIN arrayFlatten(arrayMap(l -> arrayMap(b -> tuple(l, b), [1, 3, 6]), [1, 2, 3, 4, 5])) AS asked
WHERE length(next) >= asked.2 AND next[asked.2].1 = n + asked.2
GROUP BY asked
ORDER BY blocks, percentile
