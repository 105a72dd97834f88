-- What sources say of one address, the surest first, as labels_now chooses. Grain: one statement of one source. Parameters: chain, address (text, as labels has it).
-- Sort key: labels (chain, address, source, label).
SELECT l.label AS label, l.entity AS entity, l.category AS classification, l.source AS source, l.confidence AS confidence, l.official AS official, l.valid_from AS valid_from
FROM labels AS l FINAL
WHERE l.chain = {chain:String} AND l.address = {address:String} AND NOT l.removed
ORDER BY l.sure DESC, l.precedence DESC, valid_from DESC, source DESC, label DESC LIMIT 50
