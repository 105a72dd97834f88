-- Who may be on the other side of the pools that an address used: leads, no proof. Grain: one address under one rule. Parameters: chain, address (hex without 0x), upto (height), hours, uses (of the address's own, the newest).
-- address_reuse: the address itself is on both sides of a pool. linked_address: one it dealt with directly, and its side of the same pool is within `hours` of the address's.
-- pool_profile: one whose uses on the other side are as many in each of two pools and more, all of them in time. A pool is a mixer of one denomination; who came through a router is the sender to it.
-- Only the coin and listed tokens count, in uses as in dealings: one that is not listed says what it likes of anybody.
-- others: how many addresses are on that side of those pools, in time. Sort key: address_transfers (chain, address, block_number, …); pools are read whole.
WITH
  own AS MATERIALIZED (
    SELECT a.other AS mixer, a.direction = 'in' AS withdrew, a.block_time AS at, a.tx_hash AS tx_hash
    FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.block_number <= {upto:UInt64} AND a.amount > 0 AND a.kind NOT IN ('erc721', 'erc1155') AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))))
      AND dictGet('label_of', ('category', 'entity'), ({chain:String}, concat('0x', lower(hex(a.other))))) = ('mixer', 'tornado')
    ORDER BY at DESC LIMIT {uses:UInt32}
  ),
  passed AS (
    SELECT r.tx_hash AS tx_hash, any(r.other) AS pool FROM address_transfers AS r
    WHERE r.chain = {chain:String} AND r.address IN (SELECT mixer FROM own) AND r.direction = 'out' AND r.block_number <= {upto:UInt64} AND r.tx_hash IN (SELECT tx_hash FROM own WHERE NOT withdrew) AND (r.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(r.token))))))
      AND dictGet('label_of', ('category', 'entity'), ({chain:String}, concat('0x', lower(hex(r.other))))) = ('mixer', 'tornado')
    GROUP BY r.tx_hash
  ),
  used AS MATERIALIZED (SELECT if(p.pool = toFixedString('', 20), o.mixer, p.pool) AS pool, o.withdrew AS withdrew, o.at AS at, o.tx_hash AS tx_hash FROM own AS o LEFT JOIN passed AS p ON p.tx_hash = o.tx_hash AND NOT o.withdrew),
  dealt AS MATERIALIZED (
    SELECT DISTINCT a.other AS party FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.block_number <= {upto:UInt64} AND a.amount > 0 AND a.other != toFixedString('', 20) AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))))
      AND dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(a.other))))) = 'unknown'
  ),
  moved AS MATERIALIZED (
    SELECT p.address AS pool, p.direction = 'in' AS deposited, p.other AS party, dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(p.other))))) = 'mixer' AS routed, p.block_time AS at, p.tx_hash AS tx_hash
    FROM address_transfers AS p
    WHERE p.chain = {chain:String} AND p.address IN (SELECT pool FROM used) AND p.block_number <= {upto:UInt64} AND p.amount > 0 AND p.kind NOT IN ('erc721', 'erc1155') AND (p.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(p.token))))))
  ),
  senders AS (
    SELECT r.tx_hash AS tx_hash, any(r.other) AS sender FROM address_transfers AS r
    WHERE r.chain = {chain:String} AND r.address IN (SELECT party FROM moved WHERE routed) AND r.direction = 'in' AND r.block_number <= {upto:UInt64} AND (r.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(r.token)))))) GROUP BY r.tx_hash
  ),
  sides AS MATERIALIZED (SELECT m.pool AS pool, m.deposited AS deposited, if(m.routed, s.sender, m.party) AS party, m.at AS at, m.tx_hash AS tx_hash FROM moved AS m LEFT JOIN senders AS s ON s.tx_hash = m.tx_hash),
  pairs AS (
    SELECT u.pool AS pool, u.withdrew AS withdrew, s.party AS party, u.at AS mine_at, s.at AS other_at, u.tx_hash AS mine, s.tx_hash AS other, abs(dateDiff('second', s.at, u.at)) AS apart
    FROM used AS u INNER JOIN (SELECT * FROM sides WHERE party = toFixedString(unhex({address:String}), 20) OR party IN (SELECT party FROM dealt)) AS s ON s.pool = u.pool
    WHERE s.deposited = u.withdrew AND if(u.withdrew, s.at < u.at, s.at > u.at)
  ),
  profile AS (SELECT withdrew, arraySort(groupArray((pool, uses))) AS pools, min(first) AS first, max(last) AS last, any(tx) AS own FROM (SELECT withdrew, pool, count() AS uses, min(at) AS first, max(at) AS last, argMax(tx_hash, at) AS tx FROM used GROUP BY withdrew, pool) GROUP BY withdrew HAVING length(pools) >= 2),
  crowd AS (
    SELECT b.withdrew AS withdrew, uniqExact(s.party) AS others
    FROM (SELECT pool, withdrew, min(at) AS first, max(at) AS last FROM used GROUP BY pool, withdrew) AS b INNER JOIN sides AS s ON s.pool = b.pool
    WHERE s.deposited = b.withdrew AND if(b.withdrew, s.at < b.last, s.at > b.first) GROUP BY withdrew
  )
SELECT l.rule AS rule, concat('0x', lower(hex(l.party))) AS address, if(l.withdrew, 'deposit', 'withdrawal') AS side, toFloat64(l.pools) AS pools, toFloat64(l.matches) AS matches, concat('0x', lower(hex(l.own))) AS own_tx, concat('0x', lower(hex(l.theirs))) AS other_tx,
  round(l.seconds / 3600, 2) AS hours_apart, toFloat64(c.others) AS others, toFloat64(count() OVER (PARTITION BY l.rule, l.withdrew)) AS alike, CAST(NULL AS Nullable(Bool)) AS amounts_match
FROM (
  SELECT if(party = toFixedString(unhex({address:String}), 20), 'address_reuse', 'linked_address') AS rule, withdrew, party, uniqExact(p.pool) AS pools, uniqExact(p.mine) AS matches, argMin(p.mine, p.apart) AS own, argMin(p.other, p.apart) AS theirs, min(p.apart) AS seconds
  FROM pairs AS p WHERE party = toFixedString(unhex({address:String}), 20) OR (party IN (SELECT party FROM dealt) AND apart <= {hours:UInt32} * 3600)
  GROUP BY rule, withdrew, party
  UNION ALL
  SELECT 'pool_profile', f.withdrew, t.party, length(f.pools), arraySum(f.pools.2), f.own, t.tx, abs(dateDiff('second', if(f.withdrew, t.last, t.first), if(f.withdrew, f.first, f.last)))
  FROM (
    SELECT deposited, party, arraySort(groupArray((pool, uses))) AS pools, min(first) AS first, max(last) AS last, any(tx) AS tx
    FROM (SELECT deposited, party, pool, count() AS uses, min(at) AS first, max(at) AS last, argMax(tx_hash, at) AS tx FROM sides WHERE party != toFixedString(unhex({address:String}), 20) GROUP BY deposited, party, pool) GROUP BY deposited, party
  ) AS t INNER JOIN profile AS f ON f.withdrew = t.deposited AND f.pools = t.pools
  WHERE if(f.withdrew, t.last < f.first, t.first > f.last)
) AS l
LEFT JOIN crowd AS c ON c.withdrew = l.withdrew
ORDER BY rule, hours_apart, address
LIMIT 100
SETTINGS enable_materialized_cte = 1
