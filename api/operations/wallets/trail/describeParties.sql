-- Who some addresses are and how busy: label, and how many transfers each took part in.
-- Grain: one address. Parameters: chain, addresses (hex without 0x). Sort key: address_segments (chain, address, …).
SELECT concat('0x', p.party) AS address, dictGet('label_of', ('label', 'entity', 'category', 'confidence'), ({chain:String}, address)) AS known, known.1 AS label, known.2 AS entity, known.3 AS classification, known.4 AS confidence,
  toFloat64(d.transfers) AS transfers
FROM (SELECT arrayJoin({addresses:Array(String)}) AS party) AS p
LEFT JOIN (
  SELECT s.address AS address, sum(s.transfers_in + s.transfers_out) AS transfers FROM address_segments AS s FINAL
  WHERE s.chain = {chain:String} AND s.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) GROUP BY s.address
) AS d ON d.address = toFixedString(unhex(p.party), 20)
SETTINGS optimize_move_to_prewhere_if_final = 1
