-- Addresses behind their ids. Grain: one address. Parameters: ids (hex without 0x). Sort key: btc_parties (id).
SELECT concat('0x', lower(hex(a.id))) AS id, any(a.address) AS address FROM btc_parties AS a
WHERE a.id IN (SELECT toFixedString(unhex(arrayJoin({ids:Array(String)})), 20))
GROUP BY a.id
