-- Header of the newest segment. Grain: one row or none. Parameters: chain. Where its payloads have gone, the plan still knows it.
-- Reads raw_payloads by (chain, kind, number), plans by chain.
SELECT number, hash, parent, time FROM (
  SELECT max(number) AS number, lower(hex(argMax(block_hash, raw_payloads.number))) AS hash, lower(hex(argMax(parent_hash, raw_payloads.number))) AS parent, toUnixTimestamp(max(fetched_at)) AS time, 2 AS place FROM raw_payloads
  WHERE chain = {chain:String} AND kind IN ('ws', 'info', 'node_fills', 'node_trades', 'gap') HAVING count() > 0
  UNION ALL
  SELECT to_block, replaceOne(hash, '0x', ''), replaceOne(parent_hash, '0x', ''), toUnixTimestamp(at), 1 FROM plans
  WHERE chain = {chain:String} AND kind = 'plan'
) ORDER BY number DESC, place DESC LIMIT 1
