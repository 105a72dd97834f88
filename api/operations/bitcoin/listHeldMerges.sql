-- Merges that were not made because two names would have met, newest first, strictly below a place. Grain: one transaction.
-- Parameters: cluster (hex, '': any), block and index (the place), limit. Sort key: btc_cluster_quarantine (chain, block_number, tx_index), read in reverse.
SELECT toFloat64(q.block_number) AS block_number, q.tx_index AS tx_index, concat('0x', lower(hex(q.txid))) AS tx_hash,
  arrayMap((cluster, name, size) -> (if(size = 1, concat('0x', lower(hex(cluster))), lower(hex(cluster))), name, size), q.clusters, q.names, q.sizes) AS sides
FROM btc_cluster_quarantine AS q
WHERE q.chain = 'BTC' AND (q.block_number, q.tx_index) < ({block:UInt64}, {index:UInt32}) AND ({cluster:String} = '' OR has(q.clusters, toFixedString(unhex({cluster:String}), 20)))
ORDER BY q.block_number DESC, q.tx_index DESC, q.version DESC LIMIT 1 BY q.block_number, q.tx_index, q.part LIMIT {limit:UInt32}
