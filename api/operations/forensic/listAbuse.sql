-- What community lists report of one address, the surest first: in the order in which one of several labels is chosen (labels_now). Grain: one report of one list. Parameters: chain, address (text, as labels has it), classes, limit. Sort key: labels (chain, address, source, label).
SELECT l.label AS label, l.entity AS entity, toString(l.category) AS classification, toString(l.source) AS source, toString(l.rule) AS list, l.confidence AS confidence, l.official AS official, l.valid_from AS valid_from, l.reference AS reference
FROM labels AS l FINAL
WHERE l.chain = {chain:String} AND l.address = {address:String} AND toString(l.category) IN {classes:Array(String)} AND NOT l.removed
ORDER BY l.sure DESC, l.precedence DESC, l.valid_from DESC, source DESC, l.label DESC
LIMIT {limit:UInt32}
