-- What the rules of this run say otherwise than before: new labels, labels that changed or whose evidence was deleted with its blocks, and those no rule finds any more.
-- A label whose words are the same keeps the evidence of its first finding, so that a busy address is no change.
-- Grain: one change. Parameters: chain, version, height, epoch, at (Unix milliseconds). Sort keys: label_candidates (chain, address, label), by its partition; label_changes (chain, address, source, label), read whole.
INSERT INTO label_changes (chain, address, source, label, version, action, at, entity, category, rule, rule_version, level, confidence, licence, reference, valid_from, valid_to, height, epoch,
  evidence_rows, first_block, last_block, value_usd, examples, facts)
SELECT {chain:String}, n.address, 'rules', n.label, {version:UInt64}, if(w.address = '', 'added', 'changed'), fromUnixTimestamp64Milli({at:Int64}, 'UTC'), n.entity, n.category, n.rule, n.rule_version, n.level, n.score, '', '',
  n.valid_from, NULL, {height:UInt64}, {epoch:UInt32}, n.evidence_rows, n.first_block, n.last_block, n.value_usd, n.examples, n.facts
FROM (
  SELECT k.*, v.score AS score FROM label_candidates AS k INNER JOIN confidence_levels AS v ON v.level = k.level WHERE k.version = {version:UInt64} AND k.chain = {chain:String}
) AS n
LEFT JOIN (SELECT d.address AS address, d.label AS label, (toString(d.entity), toString(d.category), toString(d.rule), d.rule_version, toString(d.level)) AS said, d.cut AS cut FROM derived_labels AS d WHERE d.chain = {chain:String}) AS w
  ON w.address = n.address AND w.label = n.label
WHERE w.address = '' OR w.cut OR w.said != (n.entity, toString(n.category), toString(n.rule), n.rule_version, toString(n.level))
UNION ALL
SELECT {chain:String}, g.address, 'rules', g.label, {version:UInt64}, 'removed', fromUnixTimestamp64Milli({at:Int64}, 'UTC'), g.entity, g.category, g.rule, g.rule_version, g.level, g.confidence, '', '',
  g.valid_from, fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {height:UInt64}, {epoch:UInt32}, g.evidence_rows, g.first_block, g.last_block, g.value_usd, g.examples, g.facts
FROM derived_labels AS g
WHERE g.chain = {chain:String} AND (g.address, g.label) NOT IN (SELECT k.address, k.label FROM label_candidates AS k WHERE k.version = {version:UInt64} AND k.chain = {chain:String})
