-- Addresses behind their ids. Grain: one address. Parameters: ids (hex without 0x). Sort key: btc_addresses (id).
SELECT concat('0x', lower(hex(a.id))) AS id, any(a.address) AS address FROM btc_addresses AS a
WHERE a.id IN (SELECT toFixedString(unhex(arrayJoin({ids:Array(String)})), 20))
GROUP BY a.id
