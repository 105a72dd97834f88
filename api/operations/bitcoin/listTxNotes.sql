-- What a transaction's OP_RETURNs carry, bytes of a stranger: hex, and text where the bytes are UTF-8. Grain: one output, 100 at most. Parameters: txid (hex).
-- Sort keys: btc_txids (chain, prefix), btc_outputs (chain, block_number, tx_index, …). Of a txid that two blocks have, the later block's.
SELECT o.vout AS vout, toString(o.value) AS value_sats, toFloat64(length(o.data)) AS bytes, lower(hex(substring(o.data, 1, 10000))) AS hex, if(o.data != '' AND isValidUTF8(o.data), toNullable(substringUTF8(o.data, 1, 2000)), NULL) AS text
FROM btc_outputs AS o
WHERE o.chain = 'BTC' AND (o.block_number, o.tx_index) IN (
    SELECT x.block_number, x.tx_index FROM btc_txids AS x WHERE x.chain = 'BTC' AND x.prefix = reinterpretAsUInt64(toFixedString(unhex({txid:String}), 32)))
  AND o.txid = toFixedString(unhex({txid:String}), 32) AND o.script_type = 'nulldata'
ORDER BY o.block_number DESC, o.generation DESC, vout
LIMIT 1 BY vout LIMIT 100
