-- The changelog up to a height in the order of the chain, to build clusters from. Grain: one change; a row that stands twice changes nothing.
-- Parameters: chain, top. Sort key: btc_cluster_log (chain, block_number, tx_index, part).
SELECT cluster, arrayConcat(old, addresses) FROM btc_cluster_log
WHERE chain = {chain:String} AND toInt64(block_number) <= {top:Int64}
ORDER BY block_number, tx_index, part
FORMAT RowBinary
