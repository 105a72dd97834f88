-- A page of the addresses of Bitcoin that clusters going by an entity's name hold, whatever the case of the name, and of which no label names an owner: by cluster and id, as known now.
-- What a label says of such an address beside its owner stays; confidence is of the cluster's name. Grain: one address. Parameters: name, after_cluster and after (an address; both hex, '': none), the position of the last row given; limit.
-- labels and names of clusters are small and read whole. Sort key: btc_cluster_lists (chain, cluster, address), read in its order from the position on until the page is full: on one thread and in
-- small blocks, since every part is read by a block at least, and each thread reads its own.
WITH
  toFixedString(substring(unhex({after_cluster:String}), 1, 20), 20) AS last_cluster, toFixedString(substring(unhex(substring({after:String}, 3)), 1, 20), 20) AS last_address,
  clusters AS (
    SELECT e.cluster AS cluster, o.entity AS entity, o.category AS category, o.sure AS sure
    FROM (SELECT cluster, name FROM btc_cluster_entities FINAL WHERE chain = 'BTC' AND name != '') AS e
    INNER JOIN (SELECT name, entity, category, sure FROM btc_cluster_called WHERE chain = 'BTC') AS o ON o.name = e.name
    WHERE e.name IN (SELECT lower(replaceRegexpAll(l.entity, '[^\\p{L}\\p{N}]', '')) FROM labels AS l FINAL WHERE NOT l.removed AND l.entity != '' AND lowerUTF8(l.entity) = lowerUTF8({name:String}))
  )
SELECT 'BTC' AS chain, concat('0x', lower(hex(m.member))) AS address, dictGet('label_of', ('label', 'category'), ('BTC', address)) AS own, if(own.1 != '', own.1, concat(c.entity, ': cluster')) AS label,
  if(own.2 NOT IN ('', 'unknown'), own.2, c.category) AS classification, ['clusters'] AS sources, c.sure AS confidence, false AS official, lower(hex(m.held)) AS cluster
FROM (
  SELECT l.cluster AS held, l.address AS member FROM btc_cluster_lists AS l FINAL
  WHERE l.chain = 'BTC' AND l.cluster IN (SELECT cluster FROM clusters) AND l.cluster >= last_cluster AND (l.cluster > last_cluster OR l.address > last_address)
    AND l.present AND dictGet('label_of', 'entity', ('BTC', concat('0x', lower(hex(l.address))))) = ''
  ORDER BY l.chain, l.cluster, l.address LIMIT {limit:UInt32}
) AS m
INNER JOIN clusters AS c ON c.cluster = m.held
ORDER BY cluster, address
SETTINGS max_threads = 1, max_block_size = 2048
