-- What this installation knew of one address at a moment, the surest first: registers, imports and rules alike; only what rules say has evidence. known_since: of rules the latest change, of others when they last came. Grain: one statement of one source; one more than is told, so that it is known where there are more.
-- Parameters: chain, address (text), at (Unix milliseconds). Sort key: label_changes (chain, address, source, label, version).
SELECT c.label AS label, s.19 AS official, s.2 AS entity, s.3 AS classification, toString(c.source) AS source, s.4 AS rule, s.5 AS rule_version, s.7 AS confidence, s.6 AS confidence_level, s.8 AS valid_from, s.9 AS valid_to, if(source = 'rules', s.10, nullIf(maxIf(c.at, c.action = 'added'), toDateTime64(0, 3, 'UTC'))) AS known_since, s.11 AS reference,
  CAST((toFloat64(s.12), toFloat64(s.13), toFloat64(s.14), toFloat64(s.15), s.16, arrayMap(e -> (toFloat64(e.1), concat('0x', lower(hex(e.2))), e.3), s.17), s.18),
    'Tuple(as_of_height Float64, rows Float64, first_block Float64, last_block Float64, value_usd Nullable(Float64), examples Array(Tuple(block_number Float64, tx_hash String, position UInt32)), facts Map(String, String))') AS evidence,
  argMax((toString(c.action), c.entity, toString(c.category), toString(c.rule), c.rule_version, toString(c.level), c.confidence, c.valid_from, c.valid_to, c.at, c.reference, c.height, c.evidence_rows, c.first_block, c.last_block, c.value_usd, c.examples, c.facts, c.official, c.sure, c.precedence), (c.version, c.at)) AS s
FROM label_changes AS c
WHERE c.chain = {chain:String} AND c.address = {address:String} AND c.at <= fromUnixTimestamp64Milli({at:Int64}, 'UTC')
GROUP BY source, label HAVING s.1 != 'removed'
ORDER BY s.20 DESC, s.21 DESC, valid_from DESC, source DESC, label DESC LIMIT 1001
