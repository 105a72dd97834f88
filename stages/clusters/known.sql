-- How many addresses clusters up to a height hold: by it is known what memory they take before they are read. Grain: one row. Parameters: chain, top.
-- Counts what log.sql reads, each address in the change that first brought it. Sort key: btc_cluster_log (chain, block_number, tx_index, part).
SELECT toFloat64(sum(length(l.addresses))) AS known FROM btc_cluster_log AS l FINAL
WHERE l.chain = {chain:String} AND toInt64(l.block_number) <= {top:Int64}
  AND (l.block_number, l.version) IN (SELECT block_number, version FROM btc_cluster_blocks FINAL WHERE chain = {chain:String})
