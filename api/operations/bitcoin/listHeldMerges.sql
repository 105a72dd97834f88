-- Merges that were not made because two names would have met, newest first, strictly below a place. Grain: one transaction.
-- Sides: the cluster it is in today ('': none), the address that was in none then ('': it was a cluster), and name and size as they were then. Clusters are kept by their ids of then, each the address of
-- one of its members; clusters only grow, so the cluster that address is in today is what became of them.
-- Parameters: cluster (hex: of today, or an address that is in none; '': any), block and index (the place), limit.
-- Sort keys: btc_cluster_quarantine (chain, block_number, tx_index), read in reverse, once more whole where a cluster is asked for; btc_cluster_members (chain, address).
WITH
  theirs AS (
    SELECT m.address AS id FROM btc_cluster_members AS m
    WHERE m.chain = 'BTC' AND {cluster:String} != '' AND m.address IN (SELECT arrayJoin(h.clusters) FROM btc_cluster_quarantine AS h WHERE h.chain = 'BTC' AND {cluster:String} != '')
    GROUP BY m.address HAVING argMax(m.cluster, m.version) = toFixedString(unhex({cluster:String}), 20)
  ),
  page AS MATERIALIZED (
    SELECT q.block_number AS block_number, q.tx_index AS tx_index, q.part AS part, q.txid AS txid, q.clusters AS clusters, q.names AS names, q.sizes AS sizes FROM btc_cluster_quarantine AS q
    WHERE q.chain = 'BTC' AND (q.block_number, q.tx_index) < ({block:UInt64}, {index:UInt32})
      AND ({cluster:String} = '' OR has(q.clusters, toFixedString(unhex({cluster:String}), 20)) OR hasAny(q.clusters, (SELECT groupArray(id) FROM theirs)))
    ORDER BY q.block_number DESC, q.tx_index DESC, q.version DESC LIMIT 1 BY q.block_number, q.tx_index, q.part LIMIT {limit:UInt32}
  )
SELECT toFloat64(s.block_number) AS block_number, s.tx_index AS tx_index, concat('0x', lower(hex(any(s.txid)))) AS tx_hash,
  arrayMap(side -> (side.2, side.3, side.4, side.5), arraySort(side -> side.1, groupArray((s.nth, if(t.cluster = toFixedString('', 20), '', lower(hex(t.cluster))), if(s.size = 1, concat('0x', lower(hex(s.id))), ''), s.name, s.size)))) AS sides
FROM (SELECT block_number, tx_index, part, txid, id, name, size, nth FROM page ARRAY JOIN clusters AS id, names AS name, sizes AS size, arrayEnumerate(clusters) AS nth) AS s
LEFT JOIN (
  SELECT n.address AS id, argMax(n.cluster, n.version) AS cluster FROM btc_cluster_members AS n WHERE n.chain = 'BTC' AND n.address IN (SELECT arrayJoin(clusters) FROM page) GROUP BY n.address
) AS t ON t.id = s.id
GROUP BY s.block_number, s.tx_index, s.part
ORDER BY s.block_number DESC, s.tx_index DESC
SETTINGS enable_materialized_cte = 1
