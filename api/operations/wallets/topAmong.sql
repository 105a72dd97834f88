-- The page of topWallets.sql, of addresses of which all others are known to stand elsewhere: what was known of them and what they moved in the segments
-- that left them out. Grain: one address. Parameters: chain, first, newest, segmentBlocks, likely (topLikely.sql: address in hex, ins, outs, millionths of
-- dollars in and out, first and last time in Unix milliseconds, segments that left it out), rank and after (the position, as there), limit.
-- Sort key: address_transfers (chain, address, block_number, …).
SELECT concat('0x', lower(hex(w.who))) AS address, toFloat64(w.received) AS transfers_in, toFloat64(w.sent) AS transfers_out, toFloat64(w.usd_received) / 1e6 AS usd_in, toFloat64(w.usd_sent) / 1e6 AS usd_out,
  toFloat64(w.ranked) / 1e6 AS volume_usd, toString(w.ranked) AS rank, w.since AS first_seen, w.until AS last_seen, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, address)) AS known,
  known.1 AS label, known.2 AS entity, known.3 AS classification
FROM (
  SELECT who, sum(ins) AS received, sum(outs) AS sent, sum(usd_ins) AS usd_received, sum(usd_outs) AS usd_sent, usd_received + usd_sent AS ranked, min(earliest) AS since, max(latest) AS until
  FROM (
    SELECT toFixedString(unhex(one[1]), 20) AS who, toUInt64(one[2]) AS ins, toUInt64(one[3]) AS outs, toInt128(one[4]) AS usd_ins, toInt128(one[5]) AS usd_outs,
      fromUnixTimestamp64Milli(toInt64(one[6]), 'UTC') AS earliest, fromUnixTimestamp64Milli(toInt64(one[7]), 'UTC') AS latest
    FROM (SELECT arrayJoin({likely:Array(Array(String))}) AS one)
    UNION ALL
    SELECT address AS who, toUInt64(direction = 'in'), toUInt64(direction = 'out'), if(direction = 'in', usd, 0), if(direction = 'out', usd, 0), block_time, block_time
    FROM (
      SELECT s.address AS address, s.direction AS direction, s.block_time AS block_time, toInt128(least(assumeNotNull(s.value_usd), 1e24) * 1e6) AS usd FROM address_transfers AS s
      WHERE s.chain = {chain:String} AND s.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND s.kind NOT IN ('wrap', 'unwrap') AND s.value_usd > 0 AND s.other != s.address
        AND (s.address, intDiv(s.block_number, {segmentBlocks:UInt64})) IN (
          SELECT toFixedString(unhex(one[1]), 20), toUInt64(arrayJoin(arraySlice(one, 8))) FROM (SELECT arrayJoin({likely:Array(Array(String))}) AS one)
        )
    )
  )
  GROUP BY who
  HAVING ranked < {rank:Int128} OR (ranked = {rank:Int128} AND who > toFixedString(unhex({after:String}), 20))
  ORDER BY ranked DESC, who
  LIMIT {limit:UInt32}
) AS w
ORDER BY w.ranked DESC, w.who
