-- Addresses whose cluster a run may have changed that never landed, or that was taken back: with a cluster readers see each in. Grain: one address in one
-- cluster by btc_cluster_members, by btc_cluster_lists, or both; zero: it is in none, or its cluster's list lacks it. A store that was killed may have written one of the two without the other.
-- Parameters: chain, top (the highest block clusters have seen). What lies above it in the changelog names all of them.
-- Sort keys: btc_cluster_members (chain, address), btc_cluster_lists (chain, cluster, address).
WITH touched AS (SELECT arrayJoin(arrayPushBack(old, cluster)) FROM btc_cluster_log WHERE chain = {chain:String} AND toInt64(block_number) > {top:Int64}),
  seen AS (
    SELECT address, argMax(m.cluster, m.version) AS cluster FROM btc_cluster_members AS m
    WHERE m.chain = {chain:String} AND (m.address IN (SELECT arrayJoin(addresses) FROM btc_cluster_log WHERE chain = {chain:String} AND toInt64(block_number) > {top:Int64})
      OR m.address IN (SELECT address FROM btc_cluster_lists WHERE chain = {chain:String} AND cluster IN touched))
    GROUP BY address
  )
SELECT address, cluster FROM seen
UNION DISTINCT
SELECT l.address, if(l.present, l.cluster, toFixedString('', 20)) FROM btc_cluster_lists AS l FINAL
WHERE l.chain = {chain:String} AND l.cluster IN touched AND (l.present OR (l.address, l.cluster) IN (SELECT address, cluster FROM seen))
FORMAT RowBinary
