-- Hops of peel chains that spend outputs of a transaction, that of one output first. Grain: one hop. Parameters: txid (hex), vout (of that output), limit. Sort key: btc_peels (chain, prev_txid, …).
SELECT toFloat64(p.prev_vout) AS spent_vout, concat('0x', lower(hex(p.txid))) AS tx_hash, p.passed_vout AS passed_vout, toFloat64(p.block_number) AS block_number, p.block_time AS timestamp, toString(p.peeled) AS peeled_sats,
  if(p.peeled_to = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(p.peeled_to))))) AS peeled_to, toString(p.passed) AS passed_sats, if(p.passed_to = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(p.passed_to))))) AS passed_to
FROM btc_peels AS p FINAL
WHERE p.chain = 'BTC' AND p.prev_txid = toFixedString(unhex({txid:String}), 32)
ORDER BY p.prev_vout != {vout:UInt32}, spent_vout, block_number, p.tx_index LIMIT {limit:UInt32}
