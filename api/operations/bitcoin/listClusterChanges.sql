-- What made a cluster what it is, newest first: transactions that made it, added to it, or brought others into it. Grain: one change.
-- Parameters: cluster (hex), limit. btc_cluster_log by its Bloom filter of cluster.
SELECT toFloat64(l.block_number) AS block_number, concat('0x', lower(hex(l.txid))) AS tx_hash, toString(l.kind) AS kind, arrayMap(one -> lower(hex(one)), l.old) AS merged, length(l.addresses) AS addresses, l.size AS size
FROM btc_cluster_log AS l
WHERE l.chain = 'BTC' AND l.cluster = toFixedString(unhex({cluster:String}), 20)
ORDER BY l.block_number DESC, l.tx_index DESC, l.version DESC LIMIT 1 BY l.block_number, l.tx_index, l.part LIMIT {limit:UInt32}
