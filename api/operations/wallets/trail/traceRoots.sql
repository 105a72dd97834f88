-- The first hop of a trail: through which moves value came to an address (source) or left it. Each of its moves is whole, and is what the trail explains.
-- 256 bits name the moves of the branches given (poison); where there are more moves they share bits, in the order of time (turn: as in traceHop.sql).
-- all_usd is null where one of its moves has no price; rate is of those that have one, per unit, and only ranks.
-- Grain: one token with its branches; a branch is one (far address, token). Parameters: chain, source, address (hex without 0x), token ('': any), upto (height), since and until (Unix milliseconds),
-- skip, limit (branches), items (most moves of a branch). Sort key: address_transfers (chain, address, block_number, …).
WITH
  moves AS MATERIALIZED (
    SELECT a.token AS token, a.other AS other, a.block_number AS block_number, CAST(a.kind, 'Int8') AS kind, a.position AS position, a.sub AS sub, a.amount AS amount, a.value_usd AS usd, a.block_time AS at, a.tx_hash AS tx_hash,
      multiIf(a.kind = 'withdrawal', 4294967295, a.token = toFixedString('', 20), a.tx_index, a.position) AS turn
    FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND (a.direction = 'in') = {source:Bool} AND a.kind NOT IN ('erc721', 'erc1155') AND a.other != a.address AND a.amount > 0
      AND a.amount < bitShiftLeft(toUInt256(1), 127) AND a.block_number <= {upto:UInt64} AND ({token:String} = '' OR a.token = toFixedString(unhex({token:String}), 20))
      AND a.block_time BETWEEN fromUnixTimestamp64Milli({since:Int64}) AND fromUnixTimestamp64Milli({until:Int64})
  ),
  ranked AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY value_usd DESC NULLS LAST, transfers DESC, token, other) AS row_number
    FROM (SELECT token, other, count() AS transfers, sum(m.amount) AS amount, sum(m.usd) AS value_usd, countIf(m.usd IS NULL) AS unpriced, sumIf(m.amount, m.usd IS NOT NULL) AS priced FROM moves AS m GROUP BY token, other)
  ),
  given AS MATERIALIZED (SELECT token, other, row_number FROM ranked ORDER BY row_number LIMIT {limit:UInt32} OFFSET {skip:UInt32})
SELECT concat('0x', lower(hex(t.token))) AS root, toString(t.amount) AS all_amount, toString(t.given_amount) AS given_amount, toString(t.beyond_amount) AS beyond_amount, t.value_usd AS all_usd, t.rate AS rate, toFloat64(t.branches) AS all_branches, toFloat64((SELECT count() FROM ranked)) AS total, b.branches AS branches
FROM (SELECT r.token AS token, sum(r.amount) AS amount, sumIf(r.amount, r.row_number > {skip:UInt32} AND r.row_number <= {skip:UInt32} + {limit:UInt32}) AS given_amount,
    sumIf(r.amount, r.row_number <= {skip:UInt32} OR r.row_number > {skip:UInt32} + {limit:UInt32}) AS beyond_amount, if(sum(r.unpriced) = 0, sum(r.value_usd), NULL) AS value_usd, sum(r.value_usd) / toFloat64(sum(r.priced)) AS rate, count() AS branches FROM ranked AS r GROUP BY r.token) AS t
INNER JOIN (
  SELECT token, groupArray(CAST((row_number, concat('0x', lower(hex(other))), concat('0x', {address:String}), concat('0x', lower(hex(token))), false, '', transfers, toString(amount), value_usd, concat('0x', lower(hex(largest.1))), toString(largest.2),
      first_at, last_at, toString(amount), toString(amount), toString(amount), toString(amount), value_usd, arrayMap((bit, part) -> [toString(bit), toString(part)], mapKeys(bits), mapValues(bits)),
      arrayMap(i -> [toString(i.1), toString(i.2), toString(i.3), toString(i.4), lower(hex(i.5)), toString(bitShiftLeft(toUInt256(1), i.7)), toString(i.6), toString(i.6), toString(i.6), '0', toString(i.6), toString(i.6)], items)),
    'Tuple(rank Float64, far String, near String, token String, outside Bool, gap String, transfers Float64, amount String, value_usd Nullable(Float64), tx_hash String, largest String, first_seen DateTime64(3, \'UTC\'), last_seen DateTime64(3, \'UTC\'), fifo Nullable(String), haircut Nullable(String), lifo Nullable(String), poison String, worth Nullable(Float64), bits Array(Array(String)), items Array(Array(String)))')) AS branches
  FROM (
    SELECT p.token AS token, p.other AS other, any(p.row_number) AS row_number, count() AS transfers, sum(p.amount) AS amount, sum(p.usd) AS value_usd, argMax((p.tx_hash, p.amount), (p.amount, p.block_number, p.position)) AS largest, min(p.at) AS first_at, max(p.at) AS last_at,
      sumMap(map(p.at_bit, p.amount)) AS bits, arraySlice(arrayReverseSort(i -> (i.6, i.1), groupArray((p.block_number, p.kind, p.position, p.sub, p.tx_hash, p.amount, p.at_bit))), 1, {items:UInt32}) AS items
    FROM (
      SELECT m.*, g.row_number AS row_number,
        toUInt8(intDiv((row_number() OVER (ORDER BY m.block_number, m.turn, m.kind, m.position, m.sub, m.token, m.other) - 1) * 256, greatest(count() OVER (), 256))) AS at_bit
      FROM moves AS m INNER JOIN given AS g ON g.token = m.token AND g.other = m.other
    ) AS p
    GROUP BY p.token, p.other
  )
  GROUP BY token
) AS b ON b.token = t.token
ORDER BY root
SETTINGS enable_materialized_cte = 1
