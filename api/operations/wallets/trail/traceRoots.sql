-- The first hop of a trail: through which moves value came to an address (source) or left it. Each of its moves is whole, and is what the trail explains.
-- A move of 2^127 and above is not computed with: it is a branch of its own (oversized), with no weights, no bits and no moves to follow, and of no sum of amounts.
-- 256 bits name the moves of the branches given (poison); where there are more moves they share bits, in the order of time (turn: as in traceHop.sql).
-- all_usd is null where one of its moves has no price, or is oversized; rate is of those that have one, per unit, and only ranks. Branches of the coin and listed tokens come first, and priced_usd is of all priced moves of those, whichever are given: what another is worth its maker's pool says. token_of is in memory.
-- Grain: one token with its branches; a branch is one (far address, token), or one move. Parameters: chain, source, address (hex without 0x), token ('': any), upto (height), since and until (Unix milliseconds),
-- skip, limit (branches), items (most moves of a branch). Sort key: address_transfers (chain, address, block_number, …). One pass without joins: planning takes longer than reading here.
SELECT concat('0x', lower(hex(b.token))) AS root, toString(any(b.token_amount)) AS all_amount, toString(any(b.given_amount)) AS given_amount, toString(any(b.token_amount - b.given_amount)) AS beyond_amount,
  if(any(b.token_unpriced) = 0, any(b.token_usd), NULL) AS all_usd, any(b.token_usd / toFloat64(b.token_priced)) AS rate, toFloat64(any(b.token_branches)) AS all_branches, toFloat64(any(b.every)) AS total, any(b.every_usd) AS priced_usd,
  groupArray(CAST((place, concat('0x', lower(hex(other))), concat('0x', {address:String}), root, false, if(big, 'oversized', ''), transfers, toString(amount), value_usd, concat('0x', lower(hex(largest.1))), toString(largest.2),
      first_at, last_at, weight, weight, weight, ifNull(weight, '0'), value_usd, toFloat64(unpriced), if(big, [], arrayMap((bit, part) -> [toString(bit), toString(part)], mapKeys(bits), mapValues(bits))),
      arrayMap(i -> [toString(i.1), toString(i.2), toString(i.3), toString(i.4), lower(hex(i.5)), toString(bitShiftLeft(toUInt256(1), i.7)), toString(i.6), toString(i.6), toString(i.6), toString(i.8), '0', toString(i.6), toString(i.6)], if(big, [], items))),
    'Tuple(rank Float64, far String, near String, token String, outside Bool, gap String, transfers Float64, amount String, value_usd Nullable(Float64), tx_hash String, largest String, first_seen DateTime64(3, \'UTC\'), last_seen DateTime64(3, \'UTC\'), fifo Nullable(String), haircut Nullable(String), lifo Nullable(String), poison String, worth Nullable(Float64), unpriced Float64, bits Array(Array(String)), items Array(Array(String)))')) AS branches
FROM (
  SELECT token, other, any(p.big) AS big, if(big, NULL, toString(any(p.amount))) AS weight, any(p.row_number) AS place, any(p.every) AS every, any(p.every_usd) AS every_usd, any(p.token_branches) AS token_branches, any(p.token_amount) AS token_amount, any(p.given_amount) AS given_amount, any(p.token_unpriced) AS token_unpriced, any(p.token_usd) AS token_usd, any(p.token_priced) AS token_priced,
    any(p.transfers) AS transfers, any(p.amount) AS amount, any(p.value_usd) AS value_usd, any(p.unpriced) AS unpriced, argMax((p.move.8, p.move.5), (p.move.5, p.move.1, p.move.3)) AS largest, min(p.move.7) AS first_at, max(p.move.7) AS last_at,
    sumMap(map(p.at_bit, p.move.5)) AS bits, arraySlice(arrayReverseSort(i -> (i.6, i.1), groupArray((p.move.1, p.move.2, p.move.3, p.move.4, p.move.8, p.move.5, p.at_bit, p.move.9))), 1, {items:UInt32}) AS items
  FROM (
    SELECT r.* EXCEPT (moves), move, toUInt8(intDiv((row_number() OVER (ORDER BY move.1, move.6, move.2, move.3, move.4, r.token, r.other) - 1) * 256, greatest(count() OVER (), 256))) AS at_bit
    FROM (
      SELECT *, count() OVER token_all AS token_branches, sumIf(amount, NOT big) OVER token_all AS token_amount, sumIf(amount, given AND NOT big) OVER token_all AS given_amount, sum(unpriced) OVER token_all AS token_unpriced, sumIf(value_usd, NOT big) OVER token_all AS token_usd, sum(priced) OVER token_all AS token_priced
      FROM (
        SELECT *, token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(token))))) AS named, row_number() OVER (ORDER BY named DESC, value_usd DESC NULLS LAST, transfers DESC, token, other, apart) AS row_number, row_number > {skip:UInt32} AND row_number <= {skip:UInt32} + {limit:UInt32} AS given, count() OVER () AS every, ifNull(sumIf(value_usd, named) OVER (), 0) AS every_usd
        FROM (
          SELECT a.token AS token, a.other AS other, if(a.amount < bitShiftLeft(toUInt256(1), 127), (0::UInt64, 0::Int8, 0::UInt32, 0::UInt32), (a.block_number, CAST(a.kind, 'Int8'), a.position, a.sub)) AS apart, apart.2 != 0 AS big, count() AS transfers, sum(a.amount) AS amount, sum(a.value_usd) AS value_usd, if(big, 1, countIf(a.value_usd IS NULL)) AS unpriced, if(big, 0, sumIf(a.amount, a.value_usd IS NOT NULL)) AS priced,
            groupArray((a.block_number, CAST(a.kind, 'Int8'), a.position, a.sub, a.amount, multiIf(a.kind = 'withdrawal', 4294967295, a.token = toFixedString('', 20), a.tx_index, a.position), a.block_time, a.tx_hash, a.tx_index)) AS moves
          FROM address_transfers AS a
          WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND (a.direction = 'in') = {source:Bool} AND a.kind NOT IN ('erc721', 'erc1155') AND a.other != a.address AND a.amount > 0
            AND a.block_number <= {upto:UInt64} AND ({token:String} = '' OR a.token = toFixedString(unhex({token:String}), 20))
            AND a.block_time BETWEEN fromUnixTimestamp64Milli({since:Int64}) AND fromUnixTimestamp64Milli({until:Int64})
          GROUP BY token, other, apart
        )
      )
      WINDOW token_all AS (PARTITION BY token)
    ) AS r
    ARRAY JOIN moves AS move
    WHERE r.given
  ) AS p
  GROUP BY token, other, apart
) AS b
GROUP BY b.token
ORDER BY root
-- Asked side by side with others: a second thread costs more than it reads.
SETTINGS max_threads = 1
