-- Who some addresses are, as known now. Grain: one address. Parameters: chain, addresses (hex without 0x).
SELECT concat('0x', p.party) AS address, dictGet('label_of', ('label', 'entity', 'category', 'sure'), ({chain:String}, address)) AS known, known.1 AS label, known.2 AS entity, known.3 AS classification, known.4 AS sure
FROM (SELECT arrayJoin({addresses:Array(String)}) AS party) AS p
