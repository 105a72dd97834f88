-- The cluster of an address of Bitcoin as known now: how large, and whose by labels of its addresses. Grain: one row. cluster is null, and size 1, where the address is in none.
-- Parameters: chain, address (hex without 0x). entity is '' where the cluster has no name: only then its addresses are counted, 100,000 at most. as_of_height: of the highest block that clusters have seen, null where they have seen none.
-- Sort keys: btc_cluster_members (chain, address), btc_cluster_entities (chain, cluster), btc_cluster_lists (chain, cluster, address). Names are few and read whole.
WITH
  toFixedString('', 20) AS none,
  own AS (SELECT argMax(m.cluster, m.version) AS cluster FROM btc_cluster_members AS m WHERE m.chain = {chain:String} AND m.address = toFixedString(unhex({address:String}), 20)),
  named AS (SELECT e.cluster AS cluster, e.name AS name, e.labelled AS labelled, e.size AS size FROM btc_cluster_entities AS e FINAL WHERE e.chain = {chain:String} AND e.cluster IN (SELECT cluster FROM own) AND e.name != '')
SELECT if(o.cluster = none, NULL, lower(hex(o.cluster))) AS cluster, n.labelled AS labelled_addresses, c.entity AS entity, if(c.entity = '', 'unknown', c.category) AS classification, c.sure AS confidence,
  multiIf(o.cluster = none, 1., n.size > 0, toFloat64(n.size), toFloat64((SELECT count() FROM (
    SELECT l.address FROM btc_cluster_lists AS l FINAL WHERE l.chain = {chain:String} AND l.cluster IN (SELECT cluster FROM own) AND l.cluster NOT IN (SELECT cluster FROM named WHERE size > 0) AND l.present LIMIT 100000)))) AS size,
  (SELECT toFloat64(maxOrNull(b.block_number)) FROM btc_cluster_blocks AS b WHERE b.chain = {chain:String}) AS as_of_height
FROM own AS o
LEFT JOIN named AS n ON n.cluster = o.cluster
LEFT JOIN (SELECT name, entity, category, sure FROM btc_cluster_called WHERE chain = {chain:String} AND name IN (SELECT name FROM named)) AS c ON c.name = n.name
