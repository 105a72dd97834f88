-- Whose an address of Bitcoin is by its cluster, said once for every answer; and how large named clusters are, without reading them.

-- size: addresses of the cluster. Those of its addresses that labels name are in it, too.
ALTER TABLE btc_cluster_entities ADD COLUMN IF NOT EXISTS size UInt32 DEFAULT 0;

-- Rows of before: of two with one version the one written last counts.
INSERT INTO btc_cluster_entities (chain, cluster, name, labelled, size, version)
SELECT e.chain, e.cluster, e.name, e.labelled, m.size, e.version FROM (SELECT * FROM btc_cluster_entities FINAL WHERE name != '' AND size = 0) AS e
INNER JOIN (
  SELECT l.chain AS chain, l.cluster AS cluster, toUInt32(count()) AS size FROM btc_cluster_lists AS l FINAL
  WHERE l.present AND (l.chain, l.cluster) IN (SELECT chain, cluster FROM btc_cluster_entities WHERE name != '') GROUP BY chain, cluster
) AS m ON m.chain = e.chain AND m.cluster = e.cluster;

-- What clusters of one name are called and classed as: called as by that label of it that goes before all others (labels_now), classed as most of its addresses are that have one, and of equal
-- many as by the label that goes before. So one address that somebody says something else of does not speak for all. Grain: one name. Names are few and read whole.
-- sure: as far as the surest label of that class is, and 50 at most, the middle of the scale: inputs spent together mostly show one owner, and do not prove it.
CREATE VIEW IF NOT EXISTS btc_cluster_called AS
SELECT chain, name, argMax(entity, best) AS entity, argMax(category, (addresses, best)) AS category, toUInt8(least(argMax(best.1, (addresses, best)), 50)) AS sure
FROM (
  SELECT c.chain AS chain, c.name AS name, toString(c.category) AS category, count() AS addresses, max((c.sure, c.precedence, c.valid_from, c.source, c.label, c.address)) AS best, argMax(c.entity, (c.sure, c.precedence, c.valid_from, c.source, c.label, c.address)) AS entity
  FROM btc_cluster_names AS c FINAL WHERE c.name != '' GROUP BY chain, name, category
)
GROUP BY chain, name;

-- Whose an address is by its cluster, as known now: none of clusters without a name. Narrow it by address. A label of the address itself goes before it, which is for the reader to see to.
CREATE VIEW IF NOT EXISTS btc_owners_now AS
SELECT k.chain AS chain, k.address AS address, k.cluster AS cluster, e.labelled AS labelled, n.entity AS entity, n.category AS category, n.sure AS sure
FROM (SELECT m.chain AS chain, m.address AS address, argMax(m.cluster, m.version) AS cluster FROM btc_cluster_members AS m GROUP BY chain, address) AS k
INNER JOIN (SELECT chain, cluster, name, labelled FROM btc_cluster_entities FINAL WHERE name != '') AS e ON e.chain = k.chain AND e.cluster = k.cluster
INNER JOIN btc_cluster_called AS n ON n.chain = e.chain AND n.name = e.name
