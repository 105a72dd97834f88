-- Who holds a token, from its transfers, where its contract was made in sight: supply, holders, how much the ten largest have and the sum of squared shares (HHI).
-- Pools of the token, its own contract, the burn addresses and addresses labelled as exchange, bridge or locker hold for others: they are counted, not weighed.
-- A pool is what a known factory made, or what swapped the token itself: anybody may emit an event that calls a holder one.
-- made: whether its contract was made in a transaction of the blocks in which it was first seen. broken: balances below zero, which transfers cannot explain.
-- oversized: amounts from 2^200 on, which are not summed; where there is one the rest says nothing, broken too. whole: no block is missing since. Grain: one row. Parameters: chain, token (hex without 0x), first_from, first_to (heights of where it was first seen), newest.
-- Sort keys: blocks, transactions and transfers (chain, block_number, …), by heights; pool_sightings (chain, pool, …), of holders: a pool that is swapped with has a row for each transaction.
WITH
  toFixedString(unhex({token:String}), 20) AS asset,
  (SELECT tuple(count(), min(block_number)) FROM transactions WHERE chain = {chain:String} AND block_number BETWEEN {first_from:UInt64} AND {first_to:UInt64} AND creates_contract AND ifNull(status, 1) = 1 AND contract_address = asset) AS creations,
  (SELECT uniqExact(block_number) FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN creations.2 AND {newest:UInt64}) AS there,
  balances AS MATERIALIZED (
    SELECT holder, sum(change) AS balance, sum(side.3) AS absurd FROM (
      SELECT amount >= bitShiftLeft(toUInt256(1), 200) AS big, if(big, toInt256(0), toInt256(amount)) AS moved, arrayJoin([(to_address, moved, big), (from_address, -moved, false)]) AS side, side.1 AS holder, side.2 AS change
      FROM transfers WHERE chain = {chain:String} AND block_number BETWEEN {first_from:UInt64} AND {newest:UInt64} AND token = asset AND kind IN ('erc20', 'wrap', 'unwrap')
    ) GROUP BY holder
  ),
  pooled AS (SELECT toFixedString(substring(g.pool, 13), 20) AS address FROM pool_sightings AS g WHERE g.chain = {chain:String} AND g.pool IN (SELECT toFixedString(concat(toFixedString('', 12), b.holder), 32) FROM balances AS b WHERE b.balance > 0) AND has(g.tokens, asset) AND (g.trusted OR g.source = 'inferred') AND startsWith(g.pool, toFixedString('', 12)))
SELECT creations.1 > 0 AS made, there = {newest:UInt64} - creations.2 + 1 AS whole, toString(-sumIf(balance, holder = toFixedString('', 20))) AS supply, toFloat64(countIf(balance > 0 AND holder != toFixedString('', 20))) AS holders,
  toFloat64(countIf(balance < 0 AND holder != toFixedString('', 20))) AS broken, toFloat64(sum(absurd)) AS oversized, toFloat64(countIf(balance > 0 AND NOT own)) AS set_aside,
  if(sumIf(balance, own AND balance > 0) > 0, toNullable(arraySum(arraySlice(arrayReverseSort(groupArrayIf(toFloat64(balance), own AND balance > 0)), 1, 10)) / toFloat64(sumIf(balance, own AND balance > 0))), NULL) AS top10_share,
  if(sumIf(balance, own AND balance > 0) > 0, toNullable(sumIf(pow(toFloat64(balance), 2), own AND balance > 0) / pow(toFloat64(sumIf(balance, own AND balance > 0)), 2)), NULL) AS hhi
FROM (
  SELECT holder, balance, absurd, holder NOT IN (toFixedString('', 20), asset, toFixedString(unhex('000000000000000000000000000000000000dead'), 20)) AND holder NOT IN (SELECT address FROM pooled)
    AND NOT has(['exchange', 'bridge', 'locker', 'dex'], dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(holder)))))) AS own
  FROM balances
)
SETTINGS enable_materialized_cte = 1
