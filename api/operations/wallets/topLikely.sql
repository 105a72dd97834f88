-- The addresses that alone can stand on a page of topWallets.sql, with what is known of them: an address cannot have moved more than what the lists
-- of segments say of it and the bounds of the lists it is not on. No row: the lists do not prove the page, or there is none.
-- Grain: one address, with the segments whose lists left it out; or one of lists that changed since they were asked about, which prove nothing: its stamp is neither 0 (on no list) nor that given.
-- Parameters: chain, first, newest, segmentBlocks, cut (segments without a list, read whole), most, segments and stamp (topLists.sql), rank (the position, as there), limit, likely (rows at most; as many: there may be more).
-- reached: what every address of a whole page below the position has surely reached; 0 where there may be less than a page. Who is of use may have moved that much at the utmost, and
-- whoever surely has is among them: so the rows that may have moved most are enough to tell, unless they all are of use.
-- Sort keys: top_segments (chain, segment), transfers (chain, block_number, …) for cut segments.
SELECT arrayConcat([hex(k.who), toString(k.ins), toString(k.outs), toString(k.usd_ins), toString(k.usd_outs), toString(toUnixTimestamp64Milli(k.earliest)), toString(toUnixTimestamp64Milli(k.latest))],
  arrayMap(s -> toString(s), arrayFilter(s -> NOT has(k.listed, s), {segments:Array(UInt64)}))) AS known, toString(k.stamp) AS stamp
FROM (
  SELECT *, if(countIf(below) OVER () < {limit:UInt32}, 0, minIf(moved, below AND place <= {limit:UInt32}) OVER ()) AS reached
  FROM (
    SELECT *, moved + {most:Int128} - covered AS utmost, utmost < {rank:Int128} AS below, row_number() OVER (ORDER BY below DESC, moved DESC) AS place
    FROM (
      SELECT who, sum(i) AS ins, sum(o) AS outs, sum(usd_i) AS usd_ins, sum(usd_o) AS usd_outs, min(f) AS earliest, max(l) AS latest, usd_ins + usd_outs AS moved, sum(b) AS covered, groupArrayIf(s, m) AS listed, max(n) AS stamp
      FROM (
        SELECT who, i, o, usd_i, usd_o, f, l, w.bound AS b, w.segment AS s, w.more AS m, w.stamp AS n
        FROM (
          SELECT t.segment AS segment, t.addresses AS addresses, t.ins AS ins, t.outs AS outs, t.usd_ins AS usd_ins, t.usd_outs AS usd_outs, t.firsts AS firsts, t.lasts AS lasts, t.more AS more, t.bound AS bound,
            sum(cityHash64(t.segment, t.version)) OVER () AS stamp
          FROM top_segments AS t FINAL
          WHERE t.chain = {chain:String} AND t.segment BETWEEN intDiv({first:UInt64}, {segmentBlocks:UInt64}) AND intDiv({newest:UInt64}, {segmentBlocks:UInt64}) AND t.segment NOT IN {cut:Array(UInt64)}
        ) AS w
        ARRAY JOIN addresses AS who, ins AS i, outs AS o, usd_ins AS usd_i, usd_outs AS usd_o, firsts AS f, lasts AS l
        UNION ALL
        SELECT side.1, toUInt64(side.2), toUInt64(1 - side.2), if(side.2 = 1, usd, 0), if(side.2 = 0, usd, 0), at, at, toInt128(0), toUInt64(0), false, toUInt64(0)
        FROM (
          SELECT t.from_address AS sender, t.to_address AS receiver, toInt128(least(assumeNotNull(t.value_usd), 1e24) * 1e6) AS usd, t.block_time AS at FROM transfers AS t
          WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND intDiv(t.block_number, {segmentBlocks:UInt64}) IN {cut:Array(UInt64)}
            AND t.kind NOT IN ('wrap', 'unwrap') AND t.value_usd > 0 AND t.from_address != t.to_address
        )
        ARRAY JOIN [(receiver, 1), (sender, 0)] AS side
        WHERE side.1 != toFixedString('', 20)
      )
      GROUP BY who
      HAVING moved <= {rank:Int128}
      ORDER BY moved - covered DESC
      LIMIT {likely:UInt32}
    )
  )
) AS k
WHERE k.stamp NOT IN (0, {stamp:UInt64}) OR ((empty({segments:Array(UInt64)}) OR {most:Int128} < k.reached) AND k.utmost >= k.reached)
