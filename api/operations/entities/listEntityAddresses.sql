-- A page of the addresses of one entity, whatever the case of its name: those that registers and imports name, by chain, label and address, then those that
-- the rule of deposits found, by address, then those of Bitcoin's clusters that go by its name and no label names an owner of, by cluster and id: as known now. What a label says of such an address beside its owner stays.
-- Grain: one address of one chain. Parameters: name, chain (of the rule); found (0 to 2: which of these), after_chain, after_label (of the clusters': the cluster, hex) and
-- after (an address), which together are the position of the last row given; limit.
-- labels is small and read whole; label_changes is read by its columns, and once more by the addresses of the page.
-- Sort key: btc_cluster_lists (chain, cluster, address), read in order from the position on until the page is full.
WITH
  named AS (
    SELECT l.chain AS chain, l.address AS address, argMax((l.label, toString(l.category), l.confidence, l.official), (l.sure, l.precedence, l.valid_from, l.source, l.label)) AS best, best.1 AS label, best.2 AS classification, arraySort(groupUniqArray(toString(l.source))) AS sources, best.3 AS confidence, best.4 AS official
    FROM (SELECT *, sure, precedence FROM labels FINAL WHERE NOT removed AND entity != '' AND lowerUTF8(entity) = lowerUTF8({name:String})) AS l
    GROUP BY chain, address
  ),
  deposits AS (
    SELECT DISTINCT address FROM (
      SELECT c.address AS address, argMax((c.action != 'removed' AND lowerUTF8(c.entity) = lowerUTF8({name:String}), c.epoch, c.last_block), c.version) AS s
      FROM label_changes AS c
      WHERE c.chain = {chain:String} AND c.source = 'rules' AND c.rule = 'exchange_deposit' AND {found:UInt8} < 2 AND c.address > if({found:UInt8} = 1, {after:String}, '')
      GROUP BY c.address, c.label
      HAVING s.1 AND NOT arrayExists(deleted -> deleted.1 > s.2 AND deleted.2 <= s.3, (SELECT groupArray((d.epoch, d.from_block)) FROM rollbacks_applied AS d WHERE d.chain = {chain:String} AND d.step = 'deleted'))
    ) ORDER BY address LIMIT {limit:UInt32}
  ),
  toFixedString(unhex(if({found:UInt8} = 2, substring({after_label:String}, 1, 40), '')), 20) AS last_cluster, toFixedString(unhex(if({found:UInt8} = 2, substring({after:String}, 3, 40), '')), 20) AS last_address,
  clusters AS (
    SELECT e.cluster AS cluster, e.name AS name FROM btc_cluster_entities AS e FINAL
    WHERE e.chain = 'BTC' AND e.name != '' AND e.name IN (SELECT lower(replaceRegexpAll(l.entity, '[^\\p{L}\\p{N}]', '')) FROM labels AS l FINAL WHERE NOT l.removed AND l.entity != '' AND lowerUTF8(l.entity) = lowerUTF8({name:String}))
  ),
  members AS (
    SELECT cluster, address, dictGet('label_of', ('label', 'category', 'entity'), ('BTC', concat('0x', lower(hex(address))))) AS own FROM (
      SELECT l.cluster AS cluster, l.address AS address, l.present AS present FROM btc_cluster_lists AS l
      WHERE l.chain = 'BTC' AND l.cluster IN (SELECT cluster FROM clusters) AND l.cluster >= last_cluster AND (l.cluster > last_cluster OR l.address > last_address)
      ORDER BY l.chain, l.cluster, l.address, l.version DESC LIMIT 1 BY l.cluster, l.address
    )
    WHERE present AND own.3 = ''
    ORDER BY cluster, address LIMIT {limit:UInt32}
  )
SELECT chain, address, label, classification, sources, confidence, official, cluster, found
FROM (
  SELECT * EXCEPT best, '' AS cluster, toUInt8(0) AS found FROM named WHERE {found:UInt8} = 0 AND (chain, label, address) > ({after_chain:String}, {after_label:String}, {after:String})
  UNION ALL
  SELECT * FROM (
    SELECT r.chain, r.address, r.label, toString(r.category), ['rules'], r.confidence, false, '', toUInt8(1)
    FROM derived_labels AS r
    WHERE r.chain = {chain:String} AND r.address IN (SELECT address FROM deposits) AND r.rule = 'exchange_deposit' AND NOT r.cut AND lowerUTF8(r.entity) = lowerUTF8({name:String})
    ORDER BY r.address LIMIT 1 BY r.address
  )
  UNION ALL
  SELECT 'BTC', concat('0x', lower(hex(m.address))), if(m.own.1 != '', m.own.1, concat(o.entity, ': cluster')), if(m.own.2 NOT IN ('', 'unknown'), m.own.2, o.category), ['clusters'], o.sure, false, lower(hex(m.cluster)), toUInt8(2)
  FROM members AS m INNER JOIN clusters AS c ON c.cluster = m.cluster INNER JOIN btc_cluster_called AS o ON o.chain = 'BTC' AND o.name = c.name
)
ORDER BY found, chain, multiIf(found = 0, label, cluster), address LIMIT {limit:UInt32}
