-- What is left of what was ended in the middle: labels of a load, and changes of labels that an attempt of a run noted.

-- Which labels a load wrote: a load that was ended in the middle leaves labels of a higher version and no row here, and what was loaded before it does not stand any more.
-- 0, of loads before this was noted: not known, so that what they loaded is taken once more.
ALTER TABLE register_loads ADD COLUMN IF NOT EXISTS labels_version UInt64 DEFAULT 0;

-- A run that did not land has its version taken up by the attempt after it, which may note otherwise what the first noted: of two changes under one version the later counts.
-- Otherwise the views are those of 0012_classes.sql and 0051_leader_classes.sql; what they are stands there.
CREATE OR REPLACE VIEW derived_labels AS
SELECT chain, address, label, entity, category, rule, rule_version, level, confidence, valid_from, at, height, epoch, evidence_rows, first_block, last_block, value_usd, examples, facts,
  arrayExists(deleted -> deleted.1 = chain AND deleted.2 > epoch AND deleted.3 <= last_block, (SELECT groupArray((toString(d.chain), d.epoch, d.from_block)) FROM rollbacks_applied AS d WHERE d.step = 'deleted')) AS cut
FROM (
  SELECT c.chain AS chain, c.address AS address, c.label AS label,
    argMax((c.action, c.entity, c.category, c.rule, c.rule_version, c.level, c.confidence, c.valid_from, c.at, c.height, c.epoch, c.evidence_rows, c.first_block, c.last_block, c.value_usd, c.examples, c.facts), (c.version, c.at)) AS s,
    s.2 AS entity, s.3 AS category, s.4 AS rule, s.5 AS rule_version, s.6 AS level, s.7 AS confidence, s.8 AS valid_from, s.9 AS at, s.10 AS height, s.11 AS epoch, s.12 AS evidence_rows,
    s.13 AS first_block, s.14 AS last_block, s.15 AS value_usd, s.16 AS examples, s.17 AS facts
  FROM label_changes AS c WHERE c.source = 'rules' GROUP BY chain, address, label HAVING s.1 != 'removed'
);

CREATE OR REPLACE VIEW addresses_by_rule AS
SELECT c.address AS address, argMax((c.action, c.epoch, c.last_block), (c.version, c.at)) AS said
FROM label_changes AS c
WHERE c.chain = {chain:String} AND c.source = 'rules' AND c.label = {label:String} AND c.version <= {run:UInt64}
GROUP BY address
HAVING said.1 != 'removed'
  AND NOT arrayExists(deleted -> deleted.1 > said.2 AND deleted.2 <= said.3, (SELECT groupArray((d.epoch, d.from_block)) FROM rollbacks_applied AS d WHERE d.chain = {chain:String} AND d.step = 'deleted'));
