-- A segment's header. Grain: one row or none. Parameters: chain, number. Where its payloads have gone, the plan still knows it.
-- Reads raw_payloads by (chain, kind, number), plans by chain.
SELECT number, hash, parent, time FROM (
  SELECT any(number) AS number, lower(hex(any(block_hash))) AS hash, lower(hex(any(parent_hash))) AS parent, toUnixTimestamp(max(fetched_at)) AS time, 1 AS place FROM raw_payloads
  WHERE chain = {chain:String} AND kind IN ('ws', 'info', 'node_fills', 'node_trades', 'gap') AND raw_payloads.number = {number:UInt64} HAVING count() > 0
  UNION ALL
  SELECT to_block, replaceOne(hash, '0x', ''), replaceOne(parent_hash, '0x', ''), toUnixTimestamp(at), 2 FROM plans
  WHERE chain = {chain:String} AND kind = 'plan' AND to_block = {number:UInt64}
) ORDER BY place, time DESC LIMIT 1
