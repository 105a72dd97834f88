-- Addresses of one entity, whatever the case of its name: those that registers and imports name, then those that the rule of deposits found, the first 200 by chain,
-- label and address; and how many there are of each. Grain: one address. Parameters: name, chain (of the rule).
-- labels is small and read whole; label_changes is read by its columns, derived_labels by the addresses.
WITH
  named AS (
    SELECT l.entity AS entity, l.chain AS chain, l.address AS address, argMax(l.label, l.confidence) AS label, argMax(toString(l.category), l.confidence) AS classification, arraySort(groupUniqArray(toString(l.source))) AS sources, max(l.confidence) AS confidence
    FROM (SELECT * FROM labels FINAL WHERE NOT removed AND entity != '' AND lowerUTF8(entity) = lowerUTF8({name:String})) AS l
    GROUP BY entity, chain, address
  ),
  deposits AS (
    SELECT c.address AS address FROM label_changes AS c
    WHERE c.chain = {chain:String} AND c.source = 'rules' AND c.rule = 'exchange_deposit'
    GROUP BY c.address, c.label HAVING argMax(lowerUTF8(c.entity) = lowerUTF8({name:String}) AND c.action != 'removed', c.version)
  )
SELECT entity, chain, address, label, classification, sources, confidence, toFloat64(countIf(NOT found) OVER ()) AS total, (SELECT toFloat64(uniqExact(address)) FROM deposits) AS deposits_found
FROM (
  SELECT *, false AS found FROM named
  UNION ALL
  SELECT * FROM (
    SELECT r.entity, r.chain, r.address, r.label, toString(r.category), ['rules'], r.confidence, true
    FROM derived_labels AS r
    WHERE r.chain = {chain:String} AND r.address IN (SELECT address FROM deposits ORDER BY address LIMIT 200) AND r.rule = 'exchange_deposit' AND NOT r.cut AND lowerUTF8(r.entity) = lowerUTF8({name:String})
    ORDER BY r.address LIMIT 1 BY r.address
  )
)
ORDER BY found, chain, label, address LIMIT 200
