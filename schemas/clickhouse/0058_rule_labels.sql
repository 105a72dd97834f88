-- What rules say now of each address, narrow and in small granules, so that a page of addresses is read in a few milliseconds: label_changes holds every change with its evidence.
-- Grain: one label of one address; the newest version counts. Each run brings its changes from label_changes before it has landed (stages/index/classes/rule_labels.sql); epoch and last_block say whether its evidence still stands (derived_labels).
CREATE TABLE IF NOT EXISTS rule_labels (
  chain LowCardinality(String), address String, label String, version UInt64, removed Bool, entity String, category LowCardinality(String), confidence UInt8, valid_from DateTime64(3, 'UTC'), epoch UInt32, last_block UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, address, label)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 1000;

INSERT INTO rule_labels SELECT chain, address, label, version, action = 'removed', entity, category, confidence, valid_from, epoch, last_block FROM label_changes WHERE source = 'rules';

-- Those that stand: not taken back, and with evidence outside of blocks that were deleted since. A class says the more the higher its rank: what an address is, then that it is a contract, then what it does.
-- Narrow it by chain and address: that is the sort key.
CREATE VIEW IF NOT EXISTS rule_labels_now AS
SELECT chain, address, label, entity, toString(category) AS category, confidence, valid_from, multiIf(category IN ('whale', 'fresh'), 0, category = 'contract', 1, 2) AS rank
FROM rule_labels FINAL
WHERE NOT removed
  AND NOT arrayExists(deleted -> deleted.1 = chain AND deleted.2 > epoch AND deleted.3 <= last_block, (SELECT groupArray((toString(d.chain), d.epoch, d.from_block)) FROM rollbacks_applied AS d WHERE d.step = 'deleted'));
