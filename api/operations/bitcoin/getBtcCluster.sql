-- The cluster of an address: its size, whose it is, and how it came to be so. Grain: one row, none where the address is in no cluster.
-- Parameters: id (hex). Sort keys: btc_cluster_members (chain, address), btc_cluster_lists and btc_cluster_entities (chain, cluster, …).
-- evidence: what labels say of its addresses, in the order in which one of several labels is chosen. called: its name as the first label of that name spells it, of whatever address (list_btc_flows).
WITH own AS (
  SELECT argMax(m.cluster, m.version) AS cluster FROM btc_cluster_members AS m WHERE m.chain = 'BTC' AND m.address = toFixedString(unhex({id:String}), 20)
  HAVING cluster != toFixedString('', 20)
), members AS (
  SELECT l.address AS address FROM btc_cluster_lists AS l WHERE l.chain = 'BTC' AND l.cluster IN (SELECT cluster FROM own) GROUP BY address HAVING argMax(l.present, l.version)
)
SELECT lower(hex(o.cluster)) AS cluster, (SELECT count() FROM members) AS size, e.name AS name, e.labelled AS labelled,
  (SELECT argMax(c.entity, (c.sure, c.precedence, c.valid_from, c.source, c.label, c.address)) FROM btc_cluster_names AS c FINAL
    WHERE c.chain = 'BTC' AND c.name != '' AND c.name IN (SELECT b.name FROM btc_cluster_entities AS b FINAL WHERE b.chain = 'BTC' AND b.cluster IN (SELECT cluster FROM own))) AS called,
  (SELECT arrayMap(one -> (concat('0x', lower(hex(one.6))), one.7, one.4, one.8), arraySlice(arrayReverseSort(groupArray((n.sure, n.precedence, n.valid_from, toString(n.source), n.label, n.address, n.entity, n.confidence))), 1, 5))
    FROM btc_cluster_names AS n FINAL WHERE n.chain = 'BTC' AND n.name != '' AND n.address IN (SELECT address FROM members)) AS evidence
FROM own AS o
LEFT JOIN (SELECT cluster, argMax(c.name, c.version) AS name, argMax(c.labelled, c.version) AS labelled FROM btc_cluster_entities AS c WHERE c.chain = 'BTC' AND c.cluster IN (SELECT cluster FROM own) GROUP BY cluster) AS e ON e.cluster = o.cluster
