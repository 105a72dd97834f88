-- What is said of one address now, the surest first; of what rules say, that only whose evidence stands. known_since: when a statement last came. Grain: one statement of one source; one more than is told, so that it is known where there are more.
-- Parameters: chain, address (text, as labels has it). Sort keys: labels (chain, address, source, label), label_changes (chain, address, source, label, version).
SELECT r.label AS label, r.official AS official, r.entity AS entity, r.classification AS classification, r.source AS source, r.rule AS rule, r.rule_version AS rule_version, r.confidence AS confidence,
  if(r.stated != '', r.stated, v.level) AS confidence_level, r.valid_from AS valid_from, r.valid_to AS valid_to, nullIf(k.since, toDateTime64(0, 3, 'UTC')) AS known_since, r.reference AS reference, NULL AS evidence
FROM (
  SELECT l.label AS label, l.entity AS entity, toString(l.category) AS classification, toString(l.source) AS source, toString(l.rule) AS rule, l.rule_version AS rule_version, l.confidence AS confidence, toString(l.level) AS stated,
    l.valid_from AS valid_from, l.valid_to AS valid_to, l.reference AS reference, l.official AS official, l.sure AS sure, l.precedence AS precedence
  FROM labels AS l FINAL
  WHERE l.chain = {chain:String} AND l.address = {address:String} AND NOT l.removed
) AS r
LEFT JOIN (SELECT s.score AS score, argMax(toString(s.level), s.place) AS level FROM confidence_levels AS s GROUP BY score) AS v ON v.score = r.confidence
LEFT JOIN (
  SELECT toString(c.source) AS source, c.label AS label, maxIf(c.at, c.action = 'added') AS since FROM label_changes AS c
  WHERE c.chain = {chain:String} AND c.address = {address:String} GROUP BY source, label
) AS k ON k.source = r.source AND k.label = r.label
ORDER BY r.sure DESC, r.precedence DESC, valid_from DESC, source DESC, label DESC LIMIT 1001
