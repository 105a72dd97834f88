-- What a run changed of what rules say, for readers of many addresses; written again it is the same. Grain: one label of one address. Parameters: chain, version.
-- Read by the projection by_version of label_changes.
INSERT INTO rule_labels SELECT c.chain, c.address, c.label, c.version, c.action = 'removed', c.entity, c.category, c.confidence, c.valid_from, c.epoch, c.last_block
FROM label_changes AS c WHERE c.version = {version:UInt64} AND c.chain = {chain:String} AND c.source = 'rules'
