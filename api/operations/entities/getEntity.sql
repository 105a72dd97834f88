-- One entity, whatever the case of its name: how registers and imports write it, else rules; how many addresses each of them knows, and of which classes; btc_cluster_addresses: as in listEntities.sql.
-- Grain: the entity, one row where it is known and none where not. Parameters: name, chain (of the rule of deposits).
-- labels and named clusters are small and read whole; label_changes is read by its columns for addresses that were ever said to be its own, and what stands is made of those alone. A deposit address whose evidence reaches into blocks that were deleted is none.
WITH
  named AS (
    SELECT min(l.entity) AS owner, l.chain AS chain, l.address AS address, min(l.label) AS label, argMax(toString(l.category), (l.sure, l.precedence, l.valid_from, l.source, l.label)) AS classification
    FROM (SELECT *, sure, precedence FROM labels FINAL WHERE NOT removed AND entity != '' AND lowerUTF8(entity) = lowerUTF8({name:String})) AS l
    GROUP BY chain, address
  ),
  deposits AS (
    SELECT l.address AS address, l.s AS s
    FROM (
      SELECT c.chain AS chain, c.address AS address, argMax((c.action != 'removed' AND lowerUTF8(c.entity) = lowerUTF8({name:String}), c.entity, c.epoch, c.last_block, toString(c.category)), (c.version, c.at)) AS s, s.3 AS seen
      FROM label_changes AS c
      WHERE c.chain = {chain:String} AND c.source = 'rules' AND c.rule = 'exchange_deposit'
        AND c.address IN (SELECT n.address FROM label_changes AS n WHERE n.chain = {chain:String} AND n.source = 'rules' AND n.rule = 'exchange_deposit' AND lowerUTF8(n.entity) = lowerUTF8({name:String}))
      GROUP BY c.chain, c.address, c.label
      HAVING s.1
    ) AS l
    ASOF LEFT JOIN deletion_cuts AS d ON d.chain = l.chain AND d.epoch > l.seen
    WHERE d.epoch = 0 OR l.s.4 < d.cut
  )
SELECT h.entity AS entity, h.total AS total, h.deposits_found AS deposits_found, toFloat64(c.more) AS btc_cluster_addresses, h.classifications AS classifications
FROM (
  SELECT if(n.total > 0, n.entity, f.entity) AS entity, n.total AS total, f.total AS deposits_found, arraySort(arrayDistinct(arrayConcat(n.classes, f.classes))) AS classifications
  FROM (SELECT toFloat64(count()) AS total, argMin(owner, (chain, label, address)) AS entity, groupUniqArray(classification) AS classes FROM named) AS n
  CROSS JOIN (SELECT toFloat64(uniqExact(address)) AS total, argMin(s.2, address) AS entity, groupUniqArray(s.5) AS classes FROM deposits) AS f
  WHERE n.total + f.total > 0
) AS h
LEFT JOIN (
  SELECT lowerUTF8(o.entity) AS key, sum(e.size - least(e.labelled, e.size)) AS more FROM btc_cluster_entities AS e FINAL
  INNER JOIN (SELECT name, entity FROM btc_cluster_called WHERE chain = 'BTC') AS o ON o.name = e.name
  WHERE e.chain = 'BTC' AND e.name != '' GROUP BY key
) AS c ON c.key = lowerUTF8(h.entity)
