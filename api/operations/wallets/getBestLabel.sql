-- The best statement about one address, as labels_now chooses it. Grain: one address, no row where nobody says anything. Parameters: chain, address (text, as labels has it). Sort key: labels (chain, address, source, label).
SELECT l.label AS label, l.entity AS entity, toString(l.category) AS classification, toString(l.source) AS source, l.confidence AS confidence, l.official AS official
FROM labels AS l FINAL
WHERE l.chain = {chain:String} AND l.address = {address:String} AND NOT l.removed
ORDER BY l.sure DESC, l.precedence DESC, l.valid_from DESC, l.source DESC, l.label DESC
LIMIT 1
