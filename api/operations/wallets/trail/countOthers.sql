-- With how many others some addresses moved anything. Grain: one address that moved something. Parameters: chain, addresses (hex without 0x).
-- Sort key: address_transfers (chain, address, …).
SELECT concat('0x', lower(hex(a.address))) AS address, toFloat64(uniqExactIf(reinterpretAsUInt256(a.other), a.other != a.address)) AS counterparties FROM address_transfers AS a
WHERE a.chain = {chain:String} AND a.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) GROUP BY a.address
