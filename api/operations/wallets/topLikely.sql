-- The addresses that alone can stand on a page of topWallets.sql, with what is known of them: an address cannot have moved more than what the lists
-- of segments say of it and the bounds of the lists it is not on. No row: the lists do not prove the page, one of them is gone since cut was read, or there is none.
-- Grain: one address, with the segments whose lists left it out. Parameters: chain, first, newest, segmentBlocks, cut (segments without a list, read
-- whole), lists (how many others there are), rank (the position, as there),
-- limit, likely (rows that are of use). Sort keys: top_segments (chain, segment), transfers (chain, block_number, …) for cut segments.
WITH
  whole AS MATERIALIZED (
    SELECT t.segment AS segment, t.addresses AS addresses, t.ins AS ins, t.outs AS outs, t.usd_ins AS usd_ins, t.usd_outs AS usd_outs, t.firsts AS firsts, t.lasts AS lasts, t.more AS more, t.bound AS bound
    FROM top_segments AS t FINAL
    WHERE t.chain = {chain:String} AND t.segment BETWEEN intDiv({first:UInt64}, {segmentBlocks:UInt64}) AND intDiv({newest:UInt64}, {segmentBlocks:UInt64}) AND t.segment NOT IN {cut:Array(UInt64)}
  ),
  known AS MATERIALIZED (
    SELECT who, sum(i) AS ins, sum(o) AS outs, sum(usd_i) AS usd_ins, sum(usd_o) AS usd_outs, min(f) AS earliest, max(l) AS latest, usd_ins + usd_outs AS moved, sum(b) AS covered, groupArrayIf(s, m) AS listed
    FROM (
      SELECT who, i, o, usd_i, usd_o, f, l, w.bound AS b, w.segment AS s, w.more AS m FROM whole AS w
      ARRAY JOIN addresses AS who, ins AS i, outs AS o, usd_ins AS usd_i, usd_outs AS usd_o, firsts AS f, lasts AS l
      UNION ALL
      SELECT side.1 AS who, toUInt64(side.2) AS i, toUInt64(1 - side.2) AS o, if(side.2 = 1, usd, 0) AS usd_i, if(side.2 = 0, usd, 0) AS usd_o, at AS f, at AS l, toInt128(0) AS b, toUInt64(0) AS s, false AS m
      FROM (
        SELECT t.from_address AS sender, t.to_address AS receiver, toInt128(least(assumeNotNull(t.value_usd), 1e24) * 1e6) AS usd, t.block_time AS at FROM transfers AS t
        WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND intDiv(t.block_number, {segmentBlocks:UInt64}) IN {cut:Array(UInt64)}
          AND t.kind NOT IN ('wrap', 'unwrap') AND t.value_usd > 0
      )
      ARRAY JOIN [(receiver, 1), (sender, 0)] AS side
      WHERE side.1 != toFixedString('', 20)
    )
    GROUP BY who
  ),
  -- What an address on no list may have moved.
  unlisted AS MATERIALIZED (SELECT count() AS lists, sum(w.bound) AS most, max(w.more) AS any, groupArrayIf(w.segment, w.more) AS segments FROM whole AS w),
  -- What every address of a whole page below the position has surely reached; 0 where there may be less than a page.
  page AS MATERIALIZED (
    SELECT if(count() < {limit:UInt32}, 0, min(reached)) AS reached FROM (
      SELECT k.moved AS reached FROM known AS k CROSS JOIN unlisted AS u WHERE k.moved + u.most - k.covered < {rank:Int128} ORDER BY reached DESC LIMIT {limit:UInt32}
    )
  )
SELECT arrayConcat([hex(k.who), toString(k.ins), toString(k.outs), toString(k.usd_ins), toString(k.usd_outs), toString(toUnixTimestamp64Milli(k.earliest)), toString(toUnixTimestamp64Milli(k.latest))],
  arrayMap(s -> toString(s), arrayFilter(s -> NOT has(k.listed, s), u.segments))) AS known
FROM known AS k CROSS JOIN unlisted AS u CROSS JOIN page AS p
WHERE u.lists = {lists:UInt64} AND (NOT u.any OR u.most < p.reached) AND k.moved <= {rank:Int128} AND k.moved + u.most - k.covered >= p.reached
LIMIT {likely:UInt32}
SETTINGS enable_materialized_cte = 1
