-- Labelled addresses of one class, or with a text in their label, below a rank, by what all of the index up to a height saw them move. Of more than 500
-- that fit, the first 500 by label are looked at.
-- Grain: one address. Parameters: chain, classification ('': any), label ('': any, case does not matter), newest (the height), segmentBlocks, rank
-- (millionths of a dollar) and after (address), which together are the position, limit.
-- Sort keys: address_segments (chain, address, hour, segment) for segments that end by the height, address_transfers (chain, address, block_number, …) for the blocks after them;
-- label_of is in memory; label_changes (chain, address, source, label, version) is read for what rules say of a class.
WITH
  intDiv({newest:UInt64} + 1, {segmentBlocks:UInt64}) AS tail,
  fitting AS (
    SELECT address, label, entity, category FROM (
      SELECT d.address AS address, d.label AS label, d.entity AS entity, d.category AS category FROM dictionary(label_of) AS d
      WHERE d.chain = {chain:String} AND ({classification:String} = '' OR d.category = {classification:String}) AND match(d.address, '^0x[0-9a-f]{40}$')
      UNION ALL
      SELECT r.address, r.label, r.entity, toString(r.category) FROM derived_labels AS r
      WHERE {classification:String} != '' AND r.chain = {chain:String} AND r.category = {classification:String} AND NOT r.cut
        AND r.address IN (SELECT c.address FROM label_changes AS c WHERE {classification:String} != '' AND c.chain = {chain:String} AND c.source = 'rules' AND c.category = {classification:String})
    )
    WHERE {label:String} = '' OR positionCaseInsensitiveUTF8(label, {label:String}) > 0 OR positionCaseInsensitiveUTF8(entity, {label:String}) > 0
    ORDER BY label, address LIMIT 1 BY address LIMIT 500
  )
SELECT f.address AS address, toFloat64(w.ins) AS transfers_in, toFloat64(w.outs) AS transfers_out, toFloat64(w.usd_ins) AS usd_in, toFloat64(w.usd_outs) AS usd_out, toFloat64(w.usd_ins + w.usd_outs) AS volume_usd,
  toInt128((w.usd_ins + w.usd_outs) * 1000000) AS ranked, toString(ranked) AS rank,
  if(w.ins + w.outs = 0, NULL, toNullable(w.earliest)) AS first_seen, if(w.ins + w.outs = 0, NULL, toNullable(w.latest)) AS last_seen, f.label AS label, f.entity AS entity, f.category AS classification
FROM fitting AS f
LEFT JOIN (
  SELECT concat('0x', lower(hex(who))) AS address, sum(v.ins) AS ins, sum(v.outs) AS outs, sum(v.usd_ins) AS usd_ins, sum(v.usd_outs) AS usd_outs, min(v.earliest) AS earliest, max(v.latest) AS latest
  FROM (
    SELECT s.address AS who, s.transfers_in AS ins, s.transfers_out AS outs, s.usd_in AS usd_ins, s.usd_out AS usd_outs, s.first_time AS earliest, s.last_time AS latest
    FROM address_segments AS s FINAL
    WHERE s.chain = {chain:String} AND s.address IN (SELECT toFixedString(unhex(substring(address, 3)), 20) FROM fitting) AND s.segment < tail
    UNION ALL
    SELECT a.address, toUInt64(a.direction = 'in'), toUInt64(a.direction = 'out'), if(a.direction = 'in', toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6), 0), if(a.direction = 'out', toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6), 0),
      a.block_time, a.block_time
    FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address IN (SELECT toFixedString(unhex(substring(address, 3)), 20) FROM fitting) AND a.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64}
  ) AS v
  GROUP BY who
) AS w ON w.address = f.address
WHERE ranked < {rank:Int128} OR (ranked = {rank:Int128} AND f.address > {after:String})
ORDER BY ranked DESC, f.address
LIMIT {limit:UInt32}
