-- Changes of labels in the order in which runs landed, after a position. Grain: one change. Parameters: chain ('': any), source ('': any), after (version, chain, address, source, label, at in Unix milliseconds), limit.
-- Sort key: label_changes by its projection by_version (version, chain, address, source, label). Only versions that have landed are read: nothing is ever added to those. Of one label a version has several where an attempt before it did not land.
SELECT toFloat64(c.version) AS version, toString(c.action) AS action, c.at AS at, toString(c.chain) AS chain, c.address AS address, c.label AS label, c.entity AS entity, toString(c.category) AS classification, toString(c.source) AS source,
  toString(c.rule) AS rule, c.rule_version AS rule_version, toString(c.level) AS confidence_level, c.confidence AS confidence, c.official AS official, c.valid_from AS valid_from, c.valid_to AS valid_to
FROM label_changes AS c
WHERE c.version >= {version:UInt64} AND (c.version, c.chain, c.address, c.source, c.label, toUnixTimestamp64Milli(c.at)) > ({version:UInt64}, {after_chain:String}, {after_address:String}, {after_source:String}, {after_label:String}, {after_at:Int64})
  AND c.version <= (SELECT max(r.version) FROM label_runs AS r WHERE r.step = 'landed') AND ({chain:String} = '' OR c.chain = {chain:String}) AND ({source:String} = '' OR c.source = {source:String})
ORDER BY c.version, c.chain, c.address, c.source, c.label, c.at LIMIT {limit:UInt32}
