-- One hop on, on Bitcoin: what outputs were spent for. FIFO: a transaction's inputs fill its outputs in order, what is left is the fee. LIFO: its inputs from the last on (within an input in proportion). Haircut: in proportion to the outputs and the fee.
-- Poison: every output. A transaction of which an input is not indexed leaves FIFO and haircut unknown; a CoinJoin is an end; what is not spent is held.
-- Frontier: [txid, vout, address, haircut ('': unknown, and FIFO and LIFO with it), mask, lifo, then (start, length) of each part of the output that FIFO follows], hex without 0x, satoshis.
-- A branch is worth its coins whole, however many ways they were reached and whatever is known of them.
-- page: the branches asked for, beside the sums in one row, for a step is worked out anew wherever it is named; b.1 to b.19 are its fields in their order.
-- Grain: one branch (near address, far address), beside the sums of all: what entered is in branches, held or unknown; left has what is held by whom, and whether other outputs of the same address went on.
-- Parameters: chain, frontier, upto (height), since and until (Unix milliseconds), skip, limit (branches), items (most outputs of a branch).
-- Sort keys: btc_spends (chain, prefix, prev_vout, …), btc_inputs, btc_outputs, btc_coinjoins (chain, block_number, tx_index, …), prices (chain, token, block_number).
WITH
  wanted AS MATERIALIZED (
    SELECT toFixedString(unhex(f[1]), 32) AS txid, toUInt32(f[2]) AS vout, toFixedString(unhex(f[3]), 20) AS owner, toInt128OrNull(f[4]) AS haircut, toUInt256(f[5]) AS mask, ifNull(toInt128OrNull(f[6]), toInt128(0)) AS lifo,
      arrayMap(i -> (toInt128(f[7 + 2 * i]), toInt128(f[8 + 2 * i])), range(intDiv(length(f) - 6, 2))) AS parts
    FROM (SELECT arrayJoin({frontier:Array(Array(String))}) AS f)
  ),
  places AS MATERIALIZED (
    SELECT p.block_number AS block_number, p.tx_index AS tx_index FROM btc_spends AS p
    WHERE p.chain = {chain:String} AND (p.prefix, p.prev_vout) IN (SELECT reinterpretAsUInt64(w.txid), w.vout FROM wanted AS w) AND p.block_number <= {upto:UInt64}
  ),
  taken AS (
    SELECT i.block_number AS block_number, i.tx_index AS tx_index, i.txid AS txid, i.prev_txid AS prev_txid, i.prev_vout AS prev_vout, i.block_time AS at,
      toInt128(sum(ifNull(i.value, 0)) OVER (PARTITION BY i.block_number, i.tx_index ORDER BY i.vin)) - toInt128(ifNull(i.value, 0)) AS start, toInt128(greatest(ifNull(i.value, 0), 1)) AS value,
      countIf(i.prevout = 'unresolved') OVER (PARTITION BY i.block_number, i.tx_index) AS missing, toInt128(sum(ifNull(i.value, 0)) OVER (PARTITION BY i.block_number, i.tx_index)) AS total
    FROM btc_inputs AS i
    WHERE i.chain = {chain:String} AND (i.block_number, i.tx_index) IN (SELECT block_number, tx_index FROM places)
  ),
  paid AS (
    SELECT block_number, tx_index, arraySort(groupArray((o.vout, o.txid, o.vout, toInt128(o.value), o.party_id))) AS outs,
      arrayCumSum(outs.4) AS ends, toInt128(sum(o.value)) AS out_total
    FROM btc_outputs AS o
    WHERE o.chain = {chain:String} AND (o.block_number, o.tx_index) IN (SELECT block_number, tx_index FROM places)
    GROUP BY o.block_number, o.tx_index
  ),
  joined AS (
    SELECT c.block_number AS block_number, c.tx_index AS tx_index, argMax(toString(c.detector), c.confidence) AS detector, max(c.confidence) AS sure FROM btc_coinjoins AS c
    WHERE c.chain = {chain:String} AND c.block_number IN (SELECT block_number FROM places) AND c.confidence >= 50 GROUP BY c.block_number, c.tx_index
  ),
  rates AS (SELECT r.block_number AS block_number, any(toNullable(r.usd)) AS rate FROM prices AS r WHERE r.chain = {chain:String} AND r.token = toFixedString('', 20) AND r.block_number IN (SELECT block_number FROM places) GROUP BY r.block_number),
  edges AS (
    SELECT e.1 AS kind, owner AS near, e.2 AS far, e.3 AS coin_txid, e.4 AS coin_vout, e.5 AS worth, tx, at, toFloat64(e.5) / 1e8 * rate AS usd, detector, sure, e.6 AS pieces, e.7 AS haircut, mask, e.8 AS lost_fifo, e.9 AS lost_haircut, e.10 AS lifo, e.11 AS lost_lifo
    FROM (
      SELECT w.owner AS owner, w.mask AS mask, s.txid AS tx, s.at AS at, s.detector AS detector, s.sure AS sure, s.rate AS rate, toInt128(arraySum(w.parts.2)) AS whole, w.haircut AS held, w.lifo AS stacked, s.prev_txid != w.txid AS unspent, s.missing > 0 AS partly, s.total - s.start - s.value AS bottom,
        multiIf(unspent, 'held', detector != '', 'coinjoin', '') AS end_kind,
        CAST(arrayConcat(
          if(end_kind != '' OR partly,
            [(if(end_kind = '', 'unresolved', end_kind), toFixedString('', 20), w.txid, w.vout, toUInt128(if(unspent, greatest(whole, ifNull(held, 0)), s.value)), if(end_kind != '' AND held IS NOT NULL, [(toInt128(0), whole)], []),
              if(end_kind != '', held, NULL), if(end_kind = '', whole, 0), if(end_kind = '', ifNull(held, 0), 0),
              if(end_kind != '' AND held IS NOT NULL, stacked, NULL), if(end_kind = '', stacked, 0))], []),
          if(end_kind != '', [], arrayMap((o, upper) -> ('coins', o.5, o.2, o.3, toUInt128(o.4),
              if(partly OR held IS NULL, [], arrayFilter(x -> x.2 > 0, arrayMap(p -> (greatest(s.start + p.1, upper - o.4) - (upper - o.4), least(s.start + p.1 + p.2, upper) - greatest(s.start + p.1, upper - o.4)), w.parts))),
              if(partly OR held IS NULL, NULL, intDiv(assumeNotNull(held) * upper, s.total) - intDiv(assumeNotNull(held) * (upper - o.4), s.total)), toInt128(0), toInt128(0),
              if(partly OR held IS NULL, NULL, if(upper - bottom <= 0, toInt128(0), intDiv(stacked * least(upper - bottom, s.value), s.value)) - if(upper - o.4 - bottom <= 0, toInt128(0), intDiv(stacked * least(upper - o.4 - bottom, s.value), s.value))), toInt128(0)),
            arrayFilter((o, upper) -> o.4 > 0, s.outs, s.ends), arrayFilter((upper, o) -> o.4 > 0, s.ends, s.outs))),
          if(end_kind != '' OR partly OR s.total <= s.out_total, [], [('fee', toFixedString('', 20), s.txid, toUInt32(4294967295), toUInt128(s.total - s.out_total),
              if(held IS NULL, [], arrayFilter(x -> x.2 > 0, arrayMap(p -> (greatest(s.start + p.1, s.out_total) - s.out_total, s.start + p.1 + p.2 - greatest(s.start + p.1, s.out_total)), w.parts))),
              if(held IS NULL, NULL, assumeNotNull(held) - intDiv(assumeNotNull(held) * s.out_total, s.total)), toInt128(0), toInt128(0),
              if(held IS NULL, NULL, stacked - if(s.out_total - bottom <= 0, toInt128(0), intDiv(stacked * least(s.out_total - bottom, s.value), s.value))), toInt128(0))])),
          'Array(Tuple(String, FixedString(20), FixedString(32), UInt32, UInt128, Array(Tuple(Int128, Int128)), Nullable(Int128), Int128, Int128, Nullable(Int128), Int128))') AS elements
      FROM wanted AS w
      LEFT JOIN (
        SELECT m.prev_txid AS prev_txid, m.prev_vout AS prev_vout, m.txid AS txid, m.at AS at, m.start AS start, m.value AS value, m.missing AS missing, greatest(m.total, 1) AS total, t.outs AS outs, t.ends AS ends, t.out_total AS out_total, j.detector AS detector, j.sure AS sure, r.rate AS rate
        FROM taken AS m INNER JOIN paid AS t ON t.block_number = m.block_number AND t.tx_index = m.tx_index
        LEFT JOIN joined AS j ON j.block_number = m.block_number AND j.tx_index = m.tx_index LEFT JOIN rates AS r ON r.block_number = m.block_number
      ) AS s ON s.prev_txid = w.txid AND s.prev_vout = w.vout
    )
    ARRAY JOIN elements AS e
  ),
  pooled AS (
    SELECT kind, near, far, coin_txid, coin_vout, any(e.worth) AS worth, any(e.tx) AS tx, any(e.at) AS at, any(e.usd) AS usd, any(e.detector) AS detector, any(e.sure) AS sure, arrayFlatten(groupArray(e.pieces)) AS pieces, sum(toInt128(arraySum(e.pieces.2))) AS fifo,
      sum(e.haircut) AS haircut, blank, groupBitOr(e.mask) AS mask, sum(e.lost_fifo) AS lost_fifo, sum(e.lost_haircut) AS lost_haircut, sum(e.lifo) AS lifo, sum(e.lost_lifo) AS lost_lifo
    FROM (SELECT *, haircut IS NULL AS blank FROM edges) AS e GROUP BY kind, near, far, coin_txid, coin_vout, blank
  ),
  branches AS (
    SELECT kind, near, far, outside, count() AS transfers, sum(toUInt128(worth)) AS amount, if(countIf(p.usd IS NULL) = 0, sum(p.usd), NULL) AS value_usd, argMax((p.tx, p.worth), (p.worth, p.tx)) AS largest, any(p.detector) AS detector, min(p.sure) AS sure,
      min(p.at) AS first_seen, max(p.at) AS last_seen, sum(p.fifo) AS fifo, sum(ifNull(p.haircut, 0)) AS haircut, blank, groupBitOr(p.mask) AS mask, sum(p.lost_fifo) AS lost_fifo, sum(p.lost_haircut) AS lost_haircut, sum(ifNull(p.lifo, 0)) AS lifo, sum(p.lost_lifo) AS lost_lifo,
      arraySlice(arraySort(x -> (-x.1, x.2, x.3), groupArray((if(p.blank, toInt128(p.worth), assumeNotNull(p.haircut)), p.coin_txid, p.coin_vout, p.blank, p.haircut, p.mask, arraySlice(p.pieces, 1, 200), ifNull(p.lifo, 0)))), 1, {items:UInt32}) AS items,
      row_number() OVER (ORDER BY kind = 'held', sum(ifNull(p.haircut, 0)) DESC, sum(toUInt128(p.worth)) DESC, far, near, kind, outside, blank) AS place
    FROM (SELECT *, at < fromUnixTimestamp64Milli({since:Int64}) OR at > fromUnixTimestamp64Milli({until:Int64}) AS outside FROM pooled) AS p
    GROUP BY kind, near, far, outside, blank
  ),
  totals AS (
    SELECT sumIf(fifo, kind NOT IN ('held', 'unresolved') AND NOT blank) AS all_fifo, sumIf(haircut, kind NOT IN ('held', 'unresolved') AND NOT blank) AS all_haircut, sumIf(lifo, kind NOT IN ('held', 'unresolved') AND NOT blank) AS all_lifo, sumIf(fifo, kind = 'held') AS held_fifo, sumIf(haircut, kind = 'held') AS held_haircut, sumIf(lifo, kind = 'held') AS held_lifo,
      sum(lost_fifo) AS unknown_fifo, sum(lost_haircut) AS unknown_haircut, sum(lost_lifo) AS unknown_lifo, countIf(kind != 'held') AS all_branches,
      groupArrayIf((near, fifo, haircut, lifo), kind = 'held') AS kept, groupUniqArrayIf(near, kind != 'held') AS goers,
      groupArrayIf((kind, near, far, outside, transfers, amount, value_usd, largest, detector, sure, first_seen, last_seen, fifo, haircut, lifo, blank, mask, place, items), kind != 'held' AND place > {skip:UInt32} AND place <= {skip:UInt32} + {limit:UInt32}) AS page FROM branches
  )
SELECT b.1 AS kind, concat('0x', lower(hex(b.2))) AS near, concat('0x', lower(hex(b.3))) AS far, b.4 AS outside, toFloat64(b.5) AS transfers, toString(b.6) AS amount, b.7 AS value_usd,
  concat('0x', lower(hex(b.8.1))) AS tx_hash, toString(b.8.2) AS largest, toString(b.9) AS detector, toFloat64(b.10) AS sure, b.11 AS first_seen, b.12 AS last_seen,
  if(b.16, NULL, toString(b.13)) AS fifo, if(b.16, NULL, toString(b.14)) AS haircut, if(b.16, NULL, toString(b.15)) AS lifo, toString(b.17) AS mask, toFloat64(b.18) AS rank,
  arrayMap(i -> arrayConcat([lower(hex(i.2)), toString(i.3), lower(hex(b.3)), if(i.4, '', toString(assumeNotNull(i.5))), toString(i.6), toString(i.8)], arrayFlatten(arrayMap(s -> [toString(s.1), toString(s.2)], i.7))), b.19) AS items,
  toString(t.all_fifo) AS all_fifo, toString(t.all_haircut) AS all_haircut, toString(t.all_lifo) AS all_lifo, toString(t.held_fifo) AS held_fifo, toString(t.held_haircut) AS held_haircut, toString(t.held_lifo) AS held_lifo, toString(t.unknown_fifo) AS unknown_fifo, toString(t.unknown_haircut) AS unknown_haircut, toString(t.unknown_lifo) AS unknown_lifo,
  toFloat64(t.all_branches) AS all_branches,
  arrayMap(k -> [lower(hex(k.1)), repeat('00', 20), toString(k.2), toString(k.3), toString(k.4), toString(has(t.goers, k.1))], t.kept) AS left
FROM totals AS t LEFT ARRAY JOIN t.page AS b
ORDER BY b.18
SETTINGS enable_materialized_cte = 1
