-- Whether an address of Bitcoin moved anything here. Grain: one row. Parameters: id (hex). Sort key: address_transfers (chain, address, …).
SELECT toFloat64(count()) AS seen FROM (SELECT 1 FROM address_transfers AS a WHERE a.chain = 'BTC' AND a.address = toFixedString(unhex({id:String}), 20) LIMIT 1)
