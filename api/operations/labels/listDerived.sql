-- What rules say of one address, where the evidence stands. Grain: one label. Parameters: chain, address (text). Sort key: label_changes (chain, address, source, label, version).
SELECT d.label AS label, false AS official, d.entity AS entity, toString(d.category) AS classification, 'rules' AS source, toString(d.rule) AS rule, d.rule_version AS rule_version, d.confidence AS confidence, toString(d.level) AS confidence_level,
  d.valid_from AS valid_from, NULL AS valid_to, d.at AS known_since, '' AS reference,
  CAST((toFloat64(d.height), toFloat64(d.evidence_rows), toFloat64(d.first_block), toFloat64(d.last_block), d.value_usd, arrayMap(e -> (toFloat64(e.1), concat('0x', lower(hex(e.2))), e.3), d.examples), d.facts),
    'Tuple(as_of_height Float64, rows Float64, first_block Float64, last_block Float64, value_usd Nullable(Float64), examples Array(Tuple(block_number Float64, tx_hash String, position UInt32)), facts Map(String, String))') AS evidence
FROM derived_labels AS d
WHERE d.chain = {chain:String} AND d.address = {address:String} AND NOT d.cut
ORDER BY confidence DESC, valid_from DESC, label DESC
