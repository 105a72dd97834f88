-- What registers and imports say otherwise than before, on every chain. Grain: one change. Parameters: version, at (Unix milliseconds).
-- Of two changes under one version (of an attempt that did not land, and the one after it) the later counts.
-- labels has tens of thousands of rows and is read whole, as is what label_changes holds of them.
INSERT INTO label_changes (chain, address, source, label, version, action, at, entity, category, rule, rule_version, level, confidence, licence, reference, valid_from, valid_to, height, epoch,
  evidence_rows, first_block, last_block, value_usd, examples, facts, official)
SELECT n.chain, n.address, n.source, n.label, {version:UInt64}, multiIf(n.removed, 'removed', w.label = '', 'added', 'changed'), fromUnixTimestamp64Milli({at:Int64}, 'UTC'), n.entity, n.category, n.rule, n.rule_version, n.level,
  n.confidence, n.licence, n.reference, n.valid_from, if(n.removed, fromUnixTimestamp64Milli({at:Int64}, 'UTC'), n.valid_to), 0, 0, 0, 0, 0, NULL, [], map(), n.official
FROM (SELECT * FROM labels FINAL) AS n
LEFT JOIN (
  SELECT c.chain AS chain, c.address AS address, c.source AS source, c.label AS label,
    argMax((c.action != 'removed', toString(c.entity), toString(c.category), toString(c.rule), c.rule_version, toString(c.level), c.confidence, c.reference, c.valid_from, c.official), (c.version, c.at)) AS said
  FROM label_changes AS c WHERE c.source != 'rules' GROUP BY chain, address, source, label
  HAVING said.1
) AS w ON w.chain = n.chain AND w.address = n.address AND w.source = n.source AND w.label = n.label
WHERE if(n.removed, w.label != '', w.label = '' OR w.said != (true, toString(n.entity), toString(n.category), toString(n.rule), n.rule_version, toString(n.level), n.confidence, n.reference, n.valid_from, n.official))
