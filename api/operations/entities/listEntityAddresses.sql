-- Addresses of one entity, whatever the case of its name: the first 200 by chain, label and address; and how many there are.
-- Grain: one address. Parameters: name. labels is small and read whole.
SELECT l.entity AS entity, l.chain AS chain, l.address AS address, argMax(l.label, l.confidence) AS label, argMax(l.category, l.confidence) AS classification, arraySort(groupUniqArray(toString(l.source))) AS sources,
  max(l.confidence) AS confidence, toFloat64(count() OVER ()) AS total
FROM (SELECT * FROM labels FINAL WHERE NOT removed AND entity != '' AND lowerUTF8(entity) = lowerUTF8({name:String})) AS l
GROUP BY entity, chain, address
ORDER BY chain, label, address LIMIT 200
