-- Who some addresses are and how busy: label, how many transfers each took part in, and with how many others where that is counted (from `few` to `many` transfers; fewer have fewer others).
-- Grain: one address. Parameters: chain, addresses (hex without 0x), few, many. Sort keys: address_segments (chain, address, …), address_transfers (chain, address, …).
WITH degrees AS MATERIALIZED (
  SELECT s.address AS address, sum(s.transfers_in + s.transfers_out) AS transfers
  FROM address_segments AS s FINAL
  WHERE s.chain = {chain:String} AND s.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
  GROUP BY s.address
)
SELECT concat('0x', p.party) AS address, dictGet('label_of', ('label', 'entity', 'category', 'confidence'), ({chain:String}, address)) AS known, known.1 AS label, known.2 AS entity, known.3 AS classification, known.4 AS confidence,
  toFloat64(d.transfers) AS transfers, if(d.transfers BETWEEN {few:UInt64} AND {many:UInt64}, toNullable(toFloat64(o.others)), NULL) AS counterparties
FROM (SELECT arrayJoin({addresses:Array(String)}) AS party) AS p
LEFT JOIN degrees AS d ON d.address = toFixedString(unhex(p.party), 20)
LEFT JOIN (
  SELECT a.address AS address, uniqExact(a.other) AS others FROM address_transfers AS a
  WHERE a.chain = {chain:String} AND a.address IN (SELECT address FROM degrees WHERE transfers BETWEEN {few:UInt64} AND {many:UInt64}) GROUP BY a.address
) AS o ON o.address = d.address
SETTINGS enable_materialized_cte = 1, optimize_move_to_prewhere_if_final = 1
