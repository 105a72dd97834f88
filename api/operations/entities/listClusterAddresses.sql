-- A page of the addresses of Bitcoin that clusters called by an entity's name hold, whatever the case of the name, and of which no label names an owner, neither now nor when clusters looked last: by cluster and id, as known now.
-- Label, class and confidence are those of the cluster's name: what a label says of such an address beside its owner is in get_labels. Grain: one address. Parameters: name, after_cluster and after (an address; both hex, '': none), the position of the last row given; limit.
-- Names of clusters are small and read whole. Sort key: btc_cluster_lists (chain, cluster, address), read in its order from the position on until the page is full: on one thread and in
-- small blocks, since every part is read by a block at least, and each thread reads its own.
WITH
  toFixedString(substring(unhex({after_cluster:String}), 1, 20), 20) AS last_cluster, toFixedString(substring(unhex(substring({after:String}, 3)), 1, 20), 20) AS last_address,
  clusters AS MATERIALIZED (
    SELECT e.cluster AS cluster, o.entity AS entity, o.category AS category, o.sure AS sure
    FROM (SELECT cluster, name FROM btc_cluster_entities FINAL WHERE chain = 'BTC' AND name != '') AS e
    INNER JOIN (SELECT name, entity, category, sure FROM btc_cluster_called WHERE chain = 'BTC' AND lowerUTF8(entity) = lowerUTF8({name:String})) AS o ON o.name = e.name
  )
SELECT 'BTC' AS chain, concat('0x', lower(hex(m.member))) AS address, concat(c.entity, ': cluster') AS label, c.category AS classification, ['clusters'] AS sources, c.sure AS confidence, false AS official, lower(hex(m.held)) AS cluster
FROM (
  SELECT l.cluster AS held, l.address AS member FROM btc_cluster_lists AS l FINAL
  WHERE l.chain = 'BTC' AND l.cluster IN (SELECT cluster FROM clusters) AND l.cluster >= last_cluster AND (l.cluster > last_cluster OR l.address > last_address)
    AND l.present AND l.address NOT IN (SELECT address FROM btc_cluster_names FINAL WHERE chain = 'BTC' AND name != '') AND dictGet('label_of', 'entity', ('BTC', concat('0x', lower(hex(l.address))))) = ''
  ORDER BY l.chain, l.cluster, l.address LIMIT {limit:UInt32}
) AS m
INNER JOIN clusters AS c ON c.cluster = m.held
ORDER BY cluster, address
SETTINGS enable_materialized_cte = 1, max_threads = 1, max_block_size = 2048
