-- One hop of a trail for all its addresses together: through which moves on their far side (source: what came in; else: what went out) the wanted moves on
-- their near side are explained. Queues are per (address, token), in the order of the ledger, in exact integers: FIFO by the overlap of running sums, LIFO by the overlap of heights of the
-- balance below which it did not fall in between (within a move in proportion), haircut pro rata of the balance at each move, poison by what lies on the right side in time. Weights are shares of the traced address's own moves, in units of its token (root).
-- Where a queue is not whole (gap) FIFO, LIFO and haircut are null. A part is rounded down and the remainder kept, so parts add up to the whole.
-- left: of each queue what stayed there, or went for gas, and how many branches lie behind it.
-- Grain: one root token with its branches; a branch is one (far address, address, token, in the time asked for or not). Parameters: chain, source, upto (height), since and until (Unix
-- milliseconds), whole and traced (whether every block, and every call, is indexed), frontier ([address, token, block, kind, position, sub, root, start, length, fifo, haircut,
-- mask, lifo, hex without 0x; '': unknown] per wanted segment), addresses, pairs (address and token, hex), bits ([root, bit, amount]), rates ([root, dollars of a unit]), moves (most per queue), items (most per branch), limit.
-- Of the moves of a branch the most worth by haircut are kept; where that is null, of each mask the one nearest to the traced address in time first, for it poisons all that the others of that mask do, and the fullest masks first.
-- turn: the order within a block: of tokens the number of the log, whichever event it is; of coin the transaction, which pays before what it calls does; withdrawals come last.
-- What a sender pays for gas leaves its queue of coin before what its transaction moves (kind 0): it is of no branch.
-- Sort keys: address_transfers (chain, address, block_number, …), address_fees (chain, address, block_number, tx_index).
-- Lines that end in "queued" are left out where whole is false, for then no queue is whole; those that end in "poisoned" stand in their place, and are left out where it is true.
-- The queues are one value, computed first: within the rest their many steps would be planned anew at every step around them.
WITH (
  SELECT groupArray((address, token, root, gap, in_fifo, in_haircut, above, all_fifo, all_haircut, folded,
      arrayConcat([(0, blank, toInt256(0), (toInt256(0), toInt256(0), toInt256(0)), 2, toInt256(0))], arrayMap(x -> (toUInt32(x.1), blank, toInt256(0), (toInt256(0), toInt256(0), toInt256(0)), 0, x.2), popped), -- queued
        arrayMap((n, f, h) -> (n, f.4, h, (toInt256(0), toInt256(0), toInt256(0)), 1, toInt256(0)), places, fars, if(in_haircut, folded.2, arrayResize([]::Array(Int256), length(fars)))), parts), -- queued
      arrayConcat([(0, blank, toInt256(0), (toInt256(0), toInt256(0), toInt256(0)), 1, toInt256(0))], arrayMap((n, f) -> (n, f.4, toInt256(0), (toInt256(0), toInt256(0), toInt256(0)), 1, toInt256(0)), arrayEnumerate(fars), fars)), -- poisoned
      in_lifo, all_lifo, kept))
  FROM (
    SELECT *, fars[1].4 AS blank, toInt256(0) AS above, (toInt256(0), []::Array(Int256)) AS folded, toInt256(0) AS kept -- poisoned
    SELECT *, -- queued
      arrayFlatten(arrayMap(s -> arrayMap(x -> (places[indexOf(fars.1, x.1)], intDiv(s.1 * x.3, s.2) - intDiv(s.1 * x.2, s.2)), s.3.3), stacks)) AS popped, arraySum(arrayMap(s -> s.1 - intDiv(s.1 * s.3.2, s.2), stacks)) AS kept, -- queued
      arrayFold((past, e) -> arrayMap(take -> (past.1 + e.2 - take, if(e.3 > 0, arrayPushBack(past.2, take), past.2)), [if(e.3 > 0, intDiv(past.1 * e.3, e.4), toInt256(0))])[1], events, (toInt256(0), []::Array(Int256))) AS folded, -- queued
      arrayFlatten(arrayMap(s -> arrayMap(f -> (f.2, blank, toInt256(0), (greatest(toInt256(0), s.1 - f.1 + f.3), least(f.1, s.2) - greatest(f.1 - f.3, s.1), intDiv(s.3 * (least(f.1, s.2) - s.1), s.2 - s.1) - intDiv(s.3 * (greatest(f.1 - f.3, s.1) - s.1), s.2 - s.1)), 0, toInt256(0)), -- queued
        arrayFilter(f -> f.1 > s.1 AND f.1 - f.3 < s.2, arrayZip(ends, places, sizes))), spans)) AS parts -- queued
    FROM ( -- queued
    SELECT address, token, root, gap, in_fifo, in_haircut, in_lifo, fars, arrayMap(f -> f.5, fars) AS ends, arrayMap(f -> f.2, fars) AS sizes, arrayMap((n, f) -> if(f.4.8 = 0, 0, n), arrayEnumerate(fars), fars) AS places, fars[1].4 AS blank, all_fifo, all_haircut, all_lifo, -- queued
      if(in_lifo, arrayMap(s -> (assumeNotNull(s.7), s.9, arrayFold((past, e) -> if(past.1 <= s.8, past, (least(past.1, e.2), past.2 + if(e.3, greatest(toInt256(0), least(past.1, e.5) - greatest(s.8, e.4)), toInt256(0)), -- queued
        if(e.3 AND least(past.1, e.5) > greatest(s.8, e.4), arrayPushBack(past.3, (e.1, past.2, past.2 + least(past.1, e.5) - greatest(s.8, e.4))), past.3))), -- queued
        arrayFilter(e -> e.1 > s.2, ladder), (s.8 + s.9, toInt256(0), []::Array(Tuple(Int64, Int256, Int256))))), arrayFilter(s -> in_lifo AND ifNull(s.7, 0) > 0, segments)), []) AS stacks, -- queued
      if(in_fifo, arrayMap(s -> (s.3, s.3 + s.4, assumeNotNull(s.5)), arrayFilter(s -> s.4 > 0 AND s.5 > 0, segments)), []) AS spans, -- queued
      if(in_haircut, arraySort(arrayConcat(arrayMap(f -> (f.1, toInt256(0), f.2, f.3), fars), arrayMap(s -> (s.2, assumeNotNull(s.6), toInt256(0), toInt256(1)), segments))), []) AS events, -- queued
      arraySum(s -> s.3 - intDiv(s.3 * greatest(least(far_total - s.1, s.2 - s.1), toInt256(0)), s.2 - s.1), spans) AS above -- queued
    FROM (
    SELECT *, gap = '' AND NOT has(segments.5, NULL) AS in_fifo, gap = '' AND NOT has(segments.6, NULL) AS in_haircut, gap = '' AND NOT has(segments.7, NULL) AND length(ladder) * length(segments) <= 1000000 AS in_lifo, -- queued
    SELECT *, false AS in_fifo, false AS in_haircut, false AS in_lifo, -- poisoned
      arraySum(arrayMap(x -> assumeNotNull(x), segments.7)) AS all_lifo, arraySum(arrayMap(x -> assumeNotNull(x), segments.5)) AS all_fifo, arraySum(arrayMap(x -> assumeNotNull(x), segments.6)) AS all_haircut
    FROM (
    SELECT *, root, arrayFilter(s -> s.1 = root, nears) AS segments
    FROM (
      SELECT address, token, any(gap) AS gap, max(far_total) AS far_total, arrayFlatten(groupArrayIf(arrayMap(s -> (s.1, ord, near_end - size + s.2, s.3, s.4, s.5, s.6, low, size), segments), NOT far)) AS nears, arrayDistinct(arrayMap(s -> s.1, nears)) AS roots,
        arraySort(groupArray((ord, held, far, low, low + size))) AS ladder, -- queued
        arraySort(f -> f.1, groupArrayIf((ord, size, pot, (other, at < fromUnixTimestamp64Milli({since:Int64}) OR at > fromUnixTimestamp64Milli({until:Int64}), amount, usd, at, tx_hash, block_number, kind, position, sub, mask, tx_index), far_end), far AND mask != 0)) AS fars
      FROM (
        SELECT *, if(inward, held, held + size) AS pot, pot - size AS low, max(far_end) OVER pair AS far_total,
          multiIf(max(big) OVER pair, 'oversized', greatest(countIf(kind != 0) OVER pair, intDiv(count() OVER pair, 4)) > {moves:UInt32}, 'too_many', min(held) OVER pair < 0, 'overdrawn',
            token IN (SELECT r.token FROM token_traits AS r WHERE r.chain = {chain:String} AND r.trait = 'rebasing'), 'rebasing',
            NOT {whole:Bool}, 'history', NOT {traced:Bool} AND token = toFixedString('', 20), 'untraced', '') AS gap,
          groupBitOr(marked) OVER (PARTITION BY address, token ORDER BY ord ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS mask
        FROM (
          SELECT m.*, k.marked AS marked, k.segments AS segments, if({source:Bool}, -1, 1) * toInt64(row_number() OVER queue) AS ord, sum(if(inward, size, -size)) OVER queue AS held,
            sum(if(far, size, 0)) OVER queue AS far_end, sum(if(far, 0, size)) OVER queue AS near_end
          FROM (
            SELECT a.address AS address, a.token AS token, a.block_number AS block_number, CAST(a.kind, 'Int8') AS kind, a.position AS position, a.sub AS sub, a.direction = 'in' AS inward, inward = {source:Bool} AS far,
              a.other AS other, a.amount >= bitShiftLeft(toUInt256(1), 127) AS big, if(big, toInt256(0), toInt256(a.amount)) AS size, a.amount AS amount, a.value_usd AS usd, a.block_time AS at, a.tx_hash AS tx_hash, a.tx_index AS tx_index,
              multiIf(a.kind = 'withdrawal', 4294967295, a.token = toFixedString('', 20), a.tx_index, a.position) AS turn
            FROM address_transfers AS a
            WHERE a.chain = {chain:String} AND a.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) AND a.kind NOT IN ('erc721', 'erc1155') AND a.other != a.address AND a.amount > 0
              AND concat(a.address, a.token) IN (SELECT unhex(arrayJoin({pairs:Array(String)}))) AND a.block_number <= {upto:UInt64}
            UNION ALL -- queued
            SELECT f.address, toFixedString('', 20), f.block_number, toInt8(0), toUInt32(0), toUInt32(0), false, NOT {source:Bool}, toFixedString('', 20), false, toInt256(f.fee), f.fee, NULL, toDateTime64(0, 3, 'UTC'), toFixedString('', 32), f.tx_index, f.tx_index -- queued
            FROM address_fees AS f -- queued
            WHERE f.chain = {chain:String} AND f.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) AND concat(f.address, toFixedString('', 20)) IN (SELECT unhex(arrayJoin({pairs:Array(String)}))) AND f.block_number <= {upto:UInt64} -- queued
          ) AS m
          LEFT JOIN (
            SELECT toFixedString(unhex(f[1]), 20) AS address, toFixedString(unhex(f[2]), 20) AS token, toUInt64(f[3]) AS block_number, toInt8(f[4]) AS kind, toUInt32(f[5]) AS position, toUInt32(f[6]) AS sub,
              groupArray((f[7], toInt256(f[8]), toInt256(f[9]), toInt256OrNull(f[10]), toInt256OrNull(f[11]), toInt256OrNull(f[13]))) AS segments, groupBitOr(toUInt256(f[12])) AS marked, true AS near
            FROM (SELECT arrayJoin({frontier:Array(Array(String))}) AS f) GROUP BY ALL
          ) AS k ON k.address = m.address AND k.token = m.token AND k.block_number = m.block_number AND k.kind = m.kind AND k.position = m.position AND k.sub = m.sub AND k.near != m.far
          WINDOW queue AS (PARTITION BY m.address, m.token ORDER BY m.block_number, m.turn, m.kind, m.position, m.sub)
        )
        WINDOW pair AS (PARTITION BY address, token)
      )
      GROUP BY address, token
    )
    ARRAY JOIN roots AS root
    )
    )
    ) -- queued
  )
) AS queues
SELECT concat('0x', root) AS root, toString(sumIf(ifNull(unknown.1, 0), NOT is_branch)) AS unknown_fifo, toString(sumIf(ifNull(unknown.2, 0), NOT is_branch)) AS unknown_haircut, toString(sumIf(ifNull(unknown.3, 0), NOT is_branch)) AS unknown_lifo, toString(sumIf(left_over.1, NOT is_branch)) AS held_fifo, toString(sumIf(left_over.2, NOT is_branch)) AS held_haircut, toString(sumIf(left_over.3, NOT is_branch)) AS held_lifo,
  toString(sum(ifNull(fifo, 0))) AS all_fifo, toString(sum(ifNull(haircut, 0))) AS all_haircut, toString(sum(ifNull(lifo, 0))) AS all_lifo, toFloat64(countIf(is_branch)) AS all_branches,
  groupArrayIf([lower(hex(address)), lower(hex(token)), toString(left_over.1), toString(left_over.2), toString(left_over.3), toString(moves)], NOT is_branch) AS left,
  arraySort(b -> b.1, groupArrayIf(CAST((toFloat64(place), concat('0x', lower(hex(other))), concat('0x', lower(hex(address))), concat('0x', lower(hex(token))), outside, gap, toFloat64(transfers), toString(amount), value_usd, concat('0x', lower(hex(largest.1))), toString(largest.2),
      first_at, last_at, toString(fifo), toString(haircut), toString(lifo), toString(poison), worth, toFloat64(unpriced),
      arrayMap(i -> arrayConcat([toString(i.1), toString(i.2), toString(i.3), toString(i.4), lower(hex(i.5)), toString(i.6), toString(i.7), ifNull(toString(i.9), ''), ifNull(toString(i.10), ''), toString(i.12)], arrayFlatten(arrayMap(s -> [toString(s.1), toString(s.2), toString(s.3)], i.8))), items)),
    'Tuple(rank Float64, far String, near String, token String, outside Bool, gap String, transfers Float64, amount String, value_usd Nullable(Float64), tx_hash String, largest String, first_seen DateTime64(3, \'UTC\'), last_seen DateTime64(3, \'UTC\'), fifo Nullable(String), haircut Nullable(String), lifo Nullable(String), poison String, worth Nullable(Float64), unpriced Float64, items Array(Array(String)))'),
    is_branch AND place <= {limit:UInt32})) AS branches
FROM (
  SELECT *, sum(is_branch) OVER (PARTITION BY address, token, root) AS moves, row_number() OVER (ORDER BY is_branch DESC, worth DESC NULLS LAST, ifNull(greatest(fifo, haircut), 0) DESC, amount DESC, other, address, token, root, outside) AS place
  FROM (
    SELECT *, if(haircut IS NULL, ifNull(least(value_usd, toFloat64(poison) * rate), value_usd), greatest(toFloat64(haircut), ifNull(toFloat64(fifo), 0)) * rate) AS worth
    FROM (
    SELECT *, toFloat64OrNull(arrayFirst(r -> r[1] = root, {rates:Array(Array(String))})[2]) AS rate,
      arraySum(b -> if(b[1] = root AND bitAnd(bitShiftRight(mask, toUInt8(b[2])), 1) = 1, toUInt256(b[3]), toUInt256(0)), {bits:Array(Array(String))}) AS poison
    FROM (
    SELECT g.ord > 0 AS is_branch, g.address AS address, g.token AS token, g.root AS root, g.far.1 AS other, g.far.2 AS outside, any(g.gap) AS gap, any(g.unknown) AS unknown, any(g.left_over) AS left_over,
      count() AS transfers, sum(g.far.3) AS amount, sum(g.far.4) AS value_usd, countIf(g.far.4 IS NULL) AS unpriced, argMax((g.far.6, g.far.3), (g.far.3, g.far.7, g.far.9)) AS largest, min(g.far.5) AS first_at, max(g.far.5) AS last_at,
      sum(g.fifo) AS fifo, sum(g.haircut) AS haircut, sum(g.lifo) AS lifo, groupBitOr(g.far.11) AS mask,
      arraySort(i -> i.11, groupArray((g.far.7, g.far.8, g.far.9, g.far.10, g.far.6, g.far.11, g.far.3, g.parts, g.haircut, g.lifo, g.ord, g.far.12))) AS by_ord,
      arraySlice(arrayReverseSort((i, nth) -> (i.9, if(i.9 IS NULL, -toInt64(nth), 0), if(i.9 IS NULL, i.6, toUInt256(0)), i.1), by_ord, arrayEnumerateUniq(arrayMap(i -> i.6, by_ord))), 1, {items:UInt32}) AS items
    FROM (
      SELECT e.1 AS ord, address, token, root, any(gap) AS gap, any((if(in_fifo, NULL, all_fifo), if(in_haircut, NULL, all_haircut), if(in_lifo, NULL, all_lifo))) AS unknown, tuplePlus(any((if(in_fifo, above, toInt256(0)), folded.1, kept)), if(ord = 0, (sum(e.4.3), sum(e.3), sum(e.6)), (toInt256(0), toInt256(0), toInt256(0)))) AS left_over,
        if(any(in_fifo) AND ord > 0, toNullable(sum(e.4.3)), NULL) AS fifo, if(any(in_haircut) AND ord > 0, toNullable(sum(e.3)), NULL) AS haircut, if(any(in_lifo) AND ord > 0, toNullable(sum(e.6)), NULL) AS lifo,
        groupArrayIf(e.4, e.4.2 > 0) AS parts, argMax(e.2, e.5) AS far
      FROM (
        SELECT q.1 AS address, q.2 AS token, q.3 AS root, q.4 AS gap, q.5 AS in_fifo, q.6 AS in_haircut, q.7 AS above, q.8 AS all_fifo, q.9 AS all_haircut, q.10 AS folded, q.11 AS elements, q.12 AS in_lifo, q.13 AS all_lifo, q.14 AS kept FROM (SELECT arrayJoin(queues) AS q)
      )
      ARRAY JOIN elements AS e
      GROUP BY address, token, root, e.1
    ) AS g
    GROUP BY is_branch, address, token, root, other, outside
    )
    )
    WHERE NOT is_branch OR poison > 0
  )
)
GROUP BY root
ORDER BY root
