-- Outputs of a transaction that look like change. Grain: one output. Parameters: txid (hex). btc_change_links by its Bloom filter of txid.
SELECT l.vout AS vout, concat('0x', lower(hex(l.from_address))) AS from_address, concat('0x', lower(hex(l.address))) AS address, toString(l.value) AS value_sats, arrayMap(one -> toString(one), l.signs) AS signs, l.score AS score
FROM btc_change_links AS l FINAL WHERE l.chain = 'BTC' AND l.txid = toFixedString(unhex({txid:String}), 32) ORDER BY l.vout
