-- What rules say now of each address, narrow and in small granules, so that a page of addresses is read in a few milliseconds: label_changes holds every change with its evidence.
-- Grain: one label of one address; the newest version counts. It is fed by label_changes alone; epoch and last_block say whether its evidence still stands (derived_labels).
CREATE TABLE IF NOT EXISTS rule_labels (
  chain LowCardinality(String), address String, label String, version UInt64, removed Bool, entity String, category LowCardinality(String), confidence UInt8, valid_from DateTime64(3, 'UTC'), epoch UInt32, last_block UInt64
) ENGINE = ReplacingMergeTree(version) ORDER BY (chain, address, label)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW IF NOT EXISTS rule_labels_come TO rule_labels AS
SELECT chain, address, label, version, action = 'removed' AS removed, entity, category, confidence, valid_from, epoch, last_block FROM label_changes WHERE source = 'rules';

INSERT INTO rule_labels SELECT chain, address, label, version, action = 'removed', entity, category, confidence, valid_from, epoch, last_block FROM label_changes WHERE source = 'rules';
