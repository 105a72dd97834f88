-- What a run changed of what rules say, for readers of many addresses; of what its attempts noted of one label the latest. Written again it is the same. Grain: one label of one address. Parameters: chain, version.
-- Read by the projection by_version of label_changes.
INSERT INTO rule_labels SELECT n.chain, n.address, n.label, {version:UInt64}, n.said.1, n.said.2, n.said.3, n.said.4, n.said.5, n.said.6, n.said.7
FROM (
  SELECT c.chain AS chain, c.address AS address, c.label AS label, argMax((c.action = 'removed', c.entity, c.category, c.confidence, c.valid_from, c.epoch, c.last_block), c.at) AS said
  FROM label_changes AS c WHERE c.version = {version:UInt64} AND c.chain = {chain:String} AND c.source = 'rules'
  GROUP BY chain, address, label
) AS n
