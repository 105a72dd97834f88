-- Labelled addresses of one class, or with a text in their label, below a rank, by what all of the index up to a height saw them move; those that moved nothing come last.
-- Grain: one address. Parameters: chain, classification ('': any), label ('': any, case does not matter), newest (the height), segmentBlocks, rank
-- (millionths of a dollar; -1: it never moved) and after (address), which together are the position, limit.
-- Sort keys: address_segments (chain, address, hour, segment) for segments that end by the height, transfers (chain, block_number, …) for the blocks after them, fewer than a segment has;
-- label_of is in memory; label_changes (chain, address, source, label, version) is read by its columns for what rules say,
-- of which a label whose evidence reaches into blocks that were deleted is none (as derived_labels has it, whose columns of evidence would take most of the time here).
WITH
  intDiv({newest:UInt64} + 1, {segmentBlocks:UInt64}) AS tail,
  fitting AS (
    SELECT address, min((label, entity, category)) AS known FROM (
      SELECT d.address AS address, d.label AS label, d.entity AS entity, d.category AS category FROM dictionary(label_of) AS d
      WHERE d.chain = {chain:String} AND ({classification:String} = '' OR d.category = {classification:String}) AND match(d.address, '^0x[0-9a-f]{40}$')
      UNION ALL
      SELECT c.address, c.label, s.2, s.3 FROM (
        SELECT r.address AS address, r.label AS label, argMax((r.action != 'removed', r.entity, toString(r.category), r.epoch, r.last_block), r.version) AS s
        FROM label_changes AS r
        WHERE r.chain = {chain:String} AND r.source = 'rules' AND r.address IN (
          SELECT m.address FROM label_changes AS m WHERE m.chain = {chain:String} AND m.source = 'rules' AND ({classification:String} = '' OR m.category = {classification:String})
            AND ({label:String} = '' OR positionCaseInsensitiveUTF8(m.label, {label:String}) > 0 OR positionCaseInsensitiveUTF8(m.entity, {label:String}) > 0)
        )
        GROUP BY address, label
        HAVING s.1 AND ({classification:String} = '' OR s.3 = {classification:String})
          AND NOT arrayExists(deleted -> deleted.1 > s.4 AND deleted.2 <= s.5, (SELECT groupArray((b.epoch, b.from_block)) FROM rollbacks_applied AS b WHERE b.chain = {chain:String} AND b.step = 'deleted'))
      ) AS c
    )
    WHERE {label:String} = '' OR positionCaseInsensitiveUTF8(label, {label:String}) > 0 OR positionCaseInsensitiveUTF8(entity, {label:String}) > 0
    GROUP BY address
  )
SELECT f.address AS address, toFloat64(w.ins) AS transfers_in, toFloat64(w.outs) AS transfers_out, toFloat64(w.usd_ins) AS usd_in, toFloat64(w.usd_outs) AS usd_out, toFloat64(w.usd_ins + w.usd_outs) AS volume_usd,
  w.ins + w.outs > 0 AS moved, if(moved, toInt128((w.usd_ins + w.usd_outs) * 1000000), toInt128(-1)) AS ranked, toString(ranked) AS rank,
  if(moved, toNullable(w.earliest), NULL) AS first_seen, if(moved, toNullable(w.latest), NULL) AS last_seen, f.known.1 AS label, f.known.2 AS entity, f.known.3 AS classification
FROM fitting AS f
LEFT JOIN (
  SELECT concat('0x', lower(hex(who))) AS address, sum(v.ins) AS ins, sum(v.outs) AS outs, sum(v.usd_ins) AS usd_ins, sum(v.usd_outs) AS usd_outs, min(v.earliest) AS earliest, max(v.latest) AS latest
  FROM (
    SELECT s.address AS who, s.transfers_in AS ins, s.transfers_out AS outs, s.usd_in AS usd_ins, s.usd_out AS usd_outs, s.first_time AS earliest, s.last_time AS latest
    FROM address_segments AS s FINAL
    WHERE s.chain = {chain:String} AND s.address IN (SELECT toFixedString(unhex(substring(address, 3)), 20) FROM fitting) AND s.segment < tail
    UNION ALL
    SELECT side.1, toUInt64(side.2 = 1), toUInt64(side.2 = 0), if(side.2 = 1, m.usd, 0), if(side.2 = 0, m.usd, 0), m.block_time, m.block_time
    FROM (
      SELECT t.from_address AS sender, t.to_address AS receiver, toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6) AS usd, t.block_time AS block_time FROM transfers AS t
      WHERE t.chain = {chain:String} AND t.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64}
    ) AS m
    ARRAY JOIN [(m.receiver, 1), (m.sender, 0)] AS side
  ) AS v
  GROUP BY who
) AS w ON w.address = f.address
WHERE ranked < {rank:Int128} OR (ranked = {rank:Int128} AND f.address > {after:String})
ORDER BY ranked DESC, f.address
LIMIT {limit:UInt32}
