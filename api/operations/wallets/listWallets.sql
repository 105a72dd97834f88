-- Labelled addresses of one class, or with a text in their label, by what all of the index saw them move. Of more than 500 that fit, the first 500 by
-- label are looked at.
-- Grain: one address. Parameters: chain, classification ('': any), label ('': any, case does not matter), limit.
-- Sort key: address_segments (chain, address, hour, segment), by address; label_of is in memory.
WITH fitting AS (
  SELECT address, label, entity, category FROM dictionary(label_of) AS d
  WHERE d.chain = {chain:String} AND ({classification:String} = '' OR d.category = {classification:String}) AND match(d.address, '^0x[0-9a-f]{40}$')
    AND ({label:String} = '' OR positionCaseInsensitiveUTF8(d.label, {label:String}) > 0 OR positionCaseInsensitiveUTF8(d.entity, {label:String}) > 0)
  ORDER BY d.label, d.address LIMIT 500
)
SELECT f.address AS address, toFloat64(w.ins) AS transfers_in, toFloat64(w.outs) AS transfers_out, w.usd_ins AS usd_in, w.usd_outs AS usd_out, w.usd_ins + w.usd_outs AS volume_usd,
  if(w.ins + w.outs = 0, NULL, toNullable(w.earliest)) AS first_seen, if(w.ins + w.outs = 0, NULL, toNullable(w.latest)) AS last_seen, f.label AS label, f.entity AS entity, f.category AS classification
FROM fitting AS f
LEFT JOIN (
  SELECT concat('0x', lower(hex(v.address))) AS address, v.transfers_in AS ins, v.transfers_out AS outs, v.usd_in AS usd_ins, v.usd_out AS usd_outs, v.first_seen AS earliest, v.last_seen AS latest
  FROM wallets AS v
  WHERE v.chain = {chain:String} AND v.address IN (SELECT toFixedString(unhex(substring(address, 3)), 20) FROM fitting)
) AS w ON w.address = f.address
ORDER BY volume_usd DESC, label, address
LIMIT {limit:UInt32}
