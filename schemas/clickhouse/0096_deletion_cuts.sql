-- Which labels of rules stand, with one comparison for each; it was one with every deletion of blocks there ever was, in an array beside each row.

-- Deletions of blocks by what they and all later ones leave: below cut. That of the first deletion behind an epoch says what of that epoch stands. Grain: one deletion of one chain; rollbacks_applied is small.
CREATE OR REPLACE VIEW deletion_cuts AS
SELECT d.chain AS chain, d.epoch AS epoch, min(d.from_block) OVER (PARTITION BY d.chain ORDER BY d.epoch DESC) AS cut
FROM rollbacks_applied AS d WHERE d.step = 'deleted';

-- The views are otherwise those of 0083_loads_and_attempts.sql and 0058_rule_labels.sql; what they are stands in 0012_classes.sql, 0051_leader_classes.sql and 0058.
CREATE OR REPLACE VIEW derived_labels AS
SELECT l.chain AS chain, l.address AS address, l.label AS label, l.s.2 AS entity, l.s.3 AS category, l.s.4 AS rule, l.s.5 AS rule_version, l.s.6 AS level, l.s.7 AS confidence, l.s.8 AS valid_from, l.s.9 AS at,
  l.s.10 AS height, l.s.11 AS epoch, l.s.12 AS evidence_rows, l.s.13 AS first_block, l.s.14 AS last_block, l.s.15 AS value_usd, l.s.16 AS examples, l.s.17 AS facts, toUInt8(ifNull(d.epoch > 0 AND d.cut <= l.s.14, false)) AS cut
FROM (
  SELECT c.chain AS chain, c.address AS address, c.label AS label,
    argMax((c.action, c.entity, c.category, c.rule, c.rule_version, c.level, c.confidence, c.valid_from, c.at, c.height, c.epoch, c.evidence_rows, c.first_block, c.last_block, c.value_usd, c.examples, c.facts), (c.version, c.at)) AS s,
    s.11 AS seen
  FROM label_changes AS c WHERE c.source = 'rules' GROUP BY chain, address, label HAVING s.1 != 'removed'
) AS l
ASOF LEFT JOIN deletion_cuts AS d ON d.chain = l.chain AND d.epoch > l.seen;

CREATE OR REPLACE VIEW addresses_by_rule AS
SELECT l.address AS address, l.said AS said
FROM (
  SELECT c.chain AS chain, c.address AS address, argMax((c.action, c.epoch, c.last_block), (c.version, c.at)) AS said, said.2 AS seen
  FROM label_changes AS c
  WHERE c.chain = {chain:String} AND c.source = 'rules' AND c.label = {label:String} AND c.version <= {run:UInt64}
  GROUP BY chain, address
  HAVING said.1 != 'removed'
) AS l
ASOF LEFT JOIN deletion_cuts AS d ON d.chain = l.chain AND d.epoch > l.seen
WHERE NOT ifNull(d.epoch > 0 AND d.cut <= l.said.3, false);

CREATE OR REPLACE VIEW rule_labels_now AS
SELECT l.chain AS chain, l.address AS address, l.label AS label, l.entity AS entity, toString(l.category) AS category, l.confidence AS confidence, l.valid_from AS valid_from,
  multiIf(l.category IN ('whale', 'fresh'), 0, l.category = 'contract', 1, 2) AS rank
FROM rule_labels AS l FINAL
ASOF LEFT JOIN deletion_cuts AS d ON d.chain = l.chain AND d.epoch > l.epoch
WHERE NOT l.removed AND NOT ifNull(d.epoch > 0 AND d.cut <= l.last_block, false);

-- The same, whether or not their evidence stands (epoch, last_block): whoever reads a few of them weighs that without a join, which takes longer to plan than they take to read. Narrow it by chain and address.
CREATE OR REPLACE VIEW rule_labels_held AS
SELECT l.chain AS chain, l.address AS address, l.label AS label, l.entity AS entity, toString(l.category) AS category, l.confidence AS confidence, l.valid_from AS valid_from, l.epoch AS epoch, l.last_block AS last_block,
  multiIf(l.category IN ('whale', 'fresh'), 0, l.category = 'contract', 1, 2) AS rank
FROM rule_labels AS l FINAL WHERE NOT l.removed;
