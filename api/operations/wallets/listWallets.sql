-- Labelled addresses of one class, or with a text in their label, below a rank, by what all of the index up to a height saw them move; those that moved nothing come last.
-- Grain: one address. Parameters: chain, classification ('': any), label ('': any, case does not matter), newest (the height), segmentBlocks, rank
-- (millionths of a dollar, of 10^24 at most: what a token says may be absurd; -1: it never moved) and after (address), which together are the position, limit.
-- Sort keys: address_segments (chain, address, hour, segment) for segments that end by the height; for the blocks after them, fewer than a segment has, transfers (chain, block_number, …) where each has both its sides,
-- and on Bitcoin address_transfers (chain, address, block_number, …): many pay one transaction, and what goes back to one of them is no transfer. Lines that end in a chain's name are left out where it is not asked about;
-- label_of is in memory; rule_labels (chain, address, label) is read by its columns for whom a rule may name so, and by its key for what stands of those.
-- An address is found by what is shown of it, as everywhere: its best label, and where that says no class, what of its rules says most (readRules).
-- Both lists are made once: otherwise either would be made again wherever it is named.
WITH
  intDiv({newest:UInt64} + 1, {segmentBlocks:UInt64}) AS tail,
  likely AS MATERIALIZED (
    SELECT DISTINCT address FROM (
      SELECT c.address AS address FROM rule_labels AS c
      WHERE c.chain = {chain:String} AND ({classification:String} = '' OR c.category = {classification:String}) AND ({label:String} = '' OR positionCaseInsensitiveUTF8(c.label, {label:String}) > 0 OR positionCaseInsensitiveUTF8(c.entity, {label:String}) > 0)
      UNION ALL
      SELECT d.address FROM dictionary(label_of) AS d
      WHERE d.chain = {chain:String} AND d.category IN ('', 'unknown') AND {label:String} != '' AND (positionCaseInsensitiveUTF8(d.label, {label:String}) > 0 OR positionCaseInsensitiveUTF8(d.entity, {label:String}) > 0)
    )
  ),
  fitting AS MATERIALIZED (
    SELECT address, known FROM (
      SELECT d.address AS address, (d.label, d.entity, d.category) AS known FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.category NOT IN ('', 'unknown')
      UNION ALL
      SELECT l.address, (if(own.1 = '', r.said.1, own.1), if(own.2 = '', r.said.2, own.2), if(r.said.3 = '', 'unknown', r.said.3)) FROM (SELECT address, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, address)) AS own FROM likely) AS l
      LEFT JOIN (
        SELECT d.address AS address, (d.label, d.entity, d.category) AS said FROM rule_labels_now AS d
        WHERE d.chain = {chain:String} AND d.address IN (SELECT address FROM likely)
        ORDER BY d.address, d.rank DESC, d.confidence DESC, d.valid_from DESC, d.label DESC LIMIT 1 BY d.address
      ) AS r ON r.address = l.address
      WHERE own.3 IN ('', 'unknown')
    )
    WHERE match(address, '^0x[0-9a-f]{40}$') AND ({classification:String} = '' OR known.3 = {classification:String})
      AND ({label:String} = '' OR positionCaseInsensitiveUTF8(known.1, {label:String}) > 0 OR positionCaseInsensitiveUTF8(known.2, {label:String}) > 0)
  )
SELECT f.address AS address, toFloat64(w.ins) AS transfers_in, toFloat64(w.outs) AS transfers_out, toFloat64(w.usd_ins) AS usd_in, toFloat64(w.usd_outs) AS usd_out, toFloat64(w.usd_ins + w.usd_outs) AS volume_usd,
  w.ins + w.outs > 0 AS moved, if(moved, toInt128(least(w.usd_ins + w.usd_outs, toDecimal256('1e24', 6)) * 1000000), toInt128(-1)) AS ranked, toString(ranked) AS rank,
  if(moved, toNullable(w.earliest), NULL) AS first_seen, if(moved, toNullable(w.latest), NULL) AS last_seen, f.known.1 AS label, f.known.2 AS entity, f.known.3 AS classification
FROM fitting AS f
LEFT JOIN (
  SELECT concat('0x', lower(hex(who))) AS address, sum(v.ins) AS ins, sum(v.outs) AS outs, sum(v.usd_ins) AS usd_ins, sum(v.usd_outs) AS usd_outs, min(v.earliest) AS earliest, max(v.latest) AS latest
  FROM (
    SELECT s.address AS who, s.transfers_in AS ins, s.transfers_out AS outs, s.usd_in AS usd_ins, s.usd_out AS usd_outs, s.first_time AS earliest, s.last_time AS latest
    FROM address_segments AS s FINAL
    WHERE s.chain = {chain:String} AND s.address IN (SELECT toFixedString(unhex(substring(address, 3)), 20) FROM fitting) AND s.segment < tail
    UNION ALL -- Ethereum
    SELECT side.1, toUInt64(side.2 = 1), toUInt64(side.2 = 0), if(side.2 = 1, m.usd, 0), if(side.2 = 0, m.usd, 0), m.block_time, m.block_time -- Ethereum
    FROM ( -- Ethereum
      SELECT t.from_address AS sender, t.to_address AS receiver, toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6) AS usd, t.block_time AS block_time FROM transfers AS t -- Ethereum
      WHERE t.chain = {chain:String} AND t.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64} -- Ethereum
    ) AS m -- Ethereum
    ARRAY JOIN [(m.receiver, 1), (m.sender, 0)] AS side -- Ethereum
    UNION ALL -- Bitcoin
    SELECT b.who, toUInt64(b.inward), toUInt64(NOT b.inward), if(b.inward, b.usd, 0), if(b.inward, 0, b.usd), b.block_time, b.block_time -- Bitcoin
    FROM ( -- Bitcoin
      SELECT a.address AS who, a.direction = 'in' AS inward, toDecimal256(least(ifNull(a.value_usd, 0), 1e60), 6) AS usd, a.block_time AS block_time FROM address_transfers AS a -- Bitcoin
      WHERE a.chain = {chain:String} AND a.address IN (SELECT toFixedString(unhex(substring(address, 3)), 20) FROM fitting) AND a.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64} -- Bitcoin
    ) AS b -- Bitcoin
  ) AS v
  GROUP BY who
) AS w ON w.address = f.address
WHERE ranked < {rank:Int128} OR (ranked = {rank:Int128} AND f.address > {after:String})
ORDER BY ranked DESC, f.address
LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
