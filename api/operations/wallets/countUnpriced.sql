-- How many transfers of one address, received and sent, have no value in dollars. Grain: one row. Parameters: chain, address (hex without 0x).
-- Sort key: address_transfers (chain, address, block_number, …).
SELECT toFloat64(countIf(a.direction = 'in')) AS ins, toFloat64(countIf(a.direction = 'out')) AS outs
FROM address_transfers AS a
WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.value_usd IS NULL
