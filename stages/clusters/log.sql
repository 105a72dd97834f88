-- The changelog up to a height in the order of the chain, to build clusters from. Grain: one change; a row that stands twice changes nothing.
-- Only rows whose block was noted with their version: others are of a run that lost the clusters and did not know it. Parameters: chain, top. Sort key: btc_cluster_log (chain, block_number, tx_index, part).
SELECT cluster, arrayConcat(old, addresses) FROM btc_cluster_log
WHERE chain = {chain:String} AND toInt64(block_number) <= {top:Int64}
  AND (block_number, version) IN (SELECT block_number, version FROM btc_cluster_blocks FINAL WHERE chain = {chain:String})
ORDER BY block_number, tx_index, part
FORMAT RowBinary
