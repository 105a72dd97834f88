-- Addresses whose cluster a run may have changed that never landed, or that was taken back: with what readers see of them. Grain: one address.
-- Parameters: chain, top (the highest block clusters have seen). What lies above it in the changelog names all of them.
SELECT address, argMax(m.cluster, m.version) FROM btc_cluster_members AS m
WHERE m.chain = {chain:String} AND (m.address IN (SELECT arrayJoin(addresses) FROM btc_cluster_log WHERE chain = {chain:String} AND toInt64(block_number) > {top:Int64})
  OR m.address IN (SELECT address FROM btc_cluster_lists WHERE chain = {chain:String} AND cluster IN (
    SELECT arrayJoin(arrayPushBack(old, cluster)) FROM btc_cluster_log WHERE chain = {chain:String} AND toInt64(block_number) > {top:Int64})))
GROUP BY address
FORMAT RowBinary
