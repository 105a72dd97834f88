-- Addresses by what they moved in a span, below a rank, with their label as known now. Wraps and payments to oneself, which move nothing, are left
-- out; zero is not an address anybody holds.
-- Grain: one address. Parameters: chain, first, newest, rank (millionths of a dollar, exact in whatever order they are added) and after (hex
-- without 0x), which together are the position, limit. Sort key: transfers (chain, block_number, …), by both heights.
SELECT concat('0x', lower(hex(w.who))) AS address, toFloat64(w.ins) AS transfers_in, toFloat64(w.outs) AS transfers_out, toFloat64(w.usd_ins) / 1e6 AS usd_in, toFloat64(w.usd_outs) / 1e6 AS usd_out, toFloat64(w.ranked) / 1e6 AS volume_usd, toString(w.ranked) AS rank,
  w.earliest AS first_seen, w.latest AS last_seen, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, address)) AS known,
  known.1 AS label, known.2 AS entity, known.3 AS classification
FROM (
  SELECT side.1 AS who, countIf(side.2 = 1) AS ins, countIf(side.2 = 0) AS outs, sumIf(millionths, side.2 = 1) AS usd_ins, sumIf(millionths, side.2 = 0) AS usd_outs,
    usd_ins + usd_outs AS ranked, min(at) AS earliest, max(at) AS latest
  FROM (
    SELECT t.from_address AS sender, t.to_address AS receiver, toInt128(least(assumeNotNull(t.value_usd), 1e24) * 1e6) AS millionths, t.block_time AS at FROM transfers AS t
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND t.kind NOT IN ('wrap', 'unwrap') AND t.value_usd > 0 AND t.from_address != t.to_address
  )
  ARRAY JOIN [(receiver, 1), (sender, 0)] AS side
  WHERE side.1 != toFixedString('', 20)
  GROUP BY who
  HAVING ranked < {rank:Int128} OR (ranked = {rank:Int128} AND who > toFixedString(unhex({after:String}), 20))
  ORDER BY ranked DESC, who
  LIMIT {limit:UInt32}
) AS w
ORDER BY w.ranked DESC, w.who
