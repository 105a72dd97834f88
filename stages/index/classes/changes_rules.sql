-- What the rules of this run say otherwise than before: new labels, labels that changed or whose evidence was deleted with its blocks, and those no rule finds any more.
-- A label whose words are the same keeps the evidence of its first finding, so that a busy address is no change.
-- Grain: one change. Parameters: chain, version, height, epoch, at (Unix milliseconds), first and last (of the slice of addresses, in hex). Sort keys: label_candidates (chain, address, label), by its partition; label_changes (chain, address, source, label); both by the slice.
-- held: what derived_labels says, without the evidence, a kilobyte of each: that is read of labels alone that are taken back.
INSERT INTO label_changes (chain, address, source, label, version, action, at, entity, category, rule, rule_version, level, confidence, licence, reference, valid_from, valid_to, height, epoch,
  evidence_rows, first_block, last_block, value_usd, examples, facts)
WITH held AS MATERIALIZED (
  SELECT l.address AS address, l.label AS label, l.s.2 AS entity, toString(l.s.3) AS category, toString(l.s.4) AS rule, l.s.5 AS rule_version, toString(l.s.6) AS level, toUInt8(ifNull(d.epoch > 0 AND d.cut <= l.s.8, false)) AS cut
  FROM (
    SELECT c.chain AS chain, c.address AS address, c.label AS label, argMax((c.action, c.entity, c.category, c.rule, c.rule_version, c.level, c.epoch, c.last_block), (c.version, c.at)) AS s, s.7 AS seen
    FROM label_changes AS c WHERE c.source = 'rules' AND c.chain = {chain:String} AND c.address BETWEEN concat('0x', {first:String}) AND concat('0x', {last:String}) GROUP BY chain, address, label HAVING s.1 != 'removed'
  ) AS l
  ASOF LEFT JOIN deletion_cuts AS d ON d.chain = l.chain AND d.epoch > l.seen
)
SELECT {chain:String}, n.address, 'rules', n.label, {version:UInt64}, if(w.address = '', 'added', 'changed'), fromUnixTimestamp64Milli({at:Int64}, 'UTC'), n.entity, n.category, n.rule, n.rule_version, n.level, n.score, '', '',
  n.valid_from, NULL, {height:UInt64}, {epoch:UInt32}, n.evidence_rows, n.first_block, n.last_block, n.value_usd, n.examples, n.facts
FROM (
  SELECT k.*, v.score AS score FROM label_candidates AS k INNER JOIN confidence_levels AS v ON v.level = k.level WHERE k.version = {version:UInt64} AND k.chain = {chain:String} AND k.address BETWEEN concat('0x', {first:String}) AND concat('0x', {last:String})
) AS n
LEFT JOIN held AS w ON w.address = n.address AND w.label = n.label
WHERE w.address = '' OR w.cut OR w.entity != n.entity OR w.category != toString(n.category) OR w.rule != toString(n.rule) OR w.rule_version != n.rule_version OR w.level != toString(n.level)
UNION ALL
SELECT {chain:String}, g.address, 'rules', g.label, {version:UInt64}, 'removed', fromUnixTimestamp64Milli({at:Int64}, 'UTC'), g.entity, g.category, g.rule, g.rule_version, g.level, g.confidence, '', '',
  g.valid_from, fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {height:UInt64}, {epoch:UInt32}, g.evidence_rows, g.first_block, g.last_block, g.value_usd, g.examples, g.facts
FROM derived_labels AS g
WHERE g.chain = {chain:String} AND g.address BETWEEN concat('0x', {first:String}) AND concat('0x', {last:String})
  AND (g.address, g.label) IN (
    SELECT h.address, h.label FROM held AS h
    WHERE (h.address, h.label) NOT IN (SELECT k.address, k.label FROM label_candidates AS k WHERE k.version = {version:UInt64} AND k.chain = {chain:String} AND k.address BETWEEN concat('0x', {first:String}) AND concat('0x', {last:String}))
  )
SETTINGS enable_materialized_cte = 1
