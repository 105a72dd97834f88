-- From whom addresses got value up to a height each, in USD, the most first. What has no price is left out; share is of all the priced value the receiver got.
-- Grain: one pair of sender and receiver. Parameters: chain, addresses (hex without 0x), before (the height for each, inclusive), limit. Sort key: address_transfers (chain, address, block_number, …).
SELECT concat('0x', lower(hex(sender))) AS from_address, concat('0x', lower(hex(receiver))) AS to_address, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, from_address)) AS known,
  known.1 AS from_label, known.2 AS from_entity, known.3 AS from_class, toFloat64(moved) AS transfers, usd AS value_usd, share, concat('0x', lower(hex(largest.1))) AS tx_hash, concat('0x', lower(hex(largest.2))) AS token,
  toString(largest.3) AS amount, first_time AS first_seen, last_time AS last_seen, toFloat64(last_height) AS last_block
FROM (
  SELECT *, usd / sum(usd) OVER (PARTITION BY receiver) AS share
  FROM (
    SELECT a.address AS receiver, a.other AS sender, count() AS moved, sum(assumeNotNull(a.value_usd)) AS usd, argMax((a.tx_hash, a.token, a.amount), a.value_usd) AS largest,
      min(a.block_time) AS first_time, max(a.block_time) AS last_time, max(a.block_number) AS last_height
    FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) AND a.direction = 'in' AND a.kind NOT IN ('wrap', 'unwrap') AND a.other != a.address
      AND a.value_usd > 0 AND a.block_number <= transform(lower(hex(a.address)), {addresses:Array(String)}, {before:Array(UInt64)}, toUInt64(0))
    GROUP BY receiver, sender
  )
  ORDER BY usd DESC, receiver, sender
  LIMIT {limit:UInt32}
)
ORDER BY value_usd DESC, to_address, from_address
