-- A page of the addresses of one entity, whatever the case of its name: those that registers and imports name, by chain, label and address, then those that
-- the rule of deposits found, by address. Grain: one address of one chain. Parameters: name, chain (of the rule); found (0 or 1), after_chain, after_label and
-- after (an address), which together are the position of the last row given; limit.
-- labels is small and read whole; label_changes is read by its columns for addresses that were ever said to be its own, what stands is made of those alone, and it is read once more by the addresses of the page.
WITH
  named AS (
    SELECT l.chain AS chain, l.address AS address, argMax((l.label, toString(l.category), l.confidence, l.official), (l.sure, l.precedence, l.valid_from, l.source, l.label)) AS best, best.1 AS label, best.2 AS classification, arraySort(groupUniqArray(toString(l.source))) AS sources, best.3 AS confidence, best.4 AS official
    FROM (SELECT *, sure, precedence FROM labels FINAL WHERE NOT removed AND entity != '' AND lowerUTF8(entity) = lowerUTF8({name:String})) AS l
    GROUP BY chain, address
  ),
  deposits AS (
    SELECT DISTINCT l.address AS address FROM (
      SELECT c.chain AS chain, c.address AS address, argMax((c.action != 'removed' AND lowerUTF8(c.entity) = lowerUTF8({name:String}), c.epoch, c.last_block), (c.version, c.at)) AS s, s.2 AS seen
      FROM label_changes AS c
      WHERE c.chain = {chain:String} AND c.source = 'rules' AND c.rule = 'exchange_deposit'
        AND c.address IN (SELECT n.address FROM label_changes AS n WHERE n.chain = {chain:String} AND n.source = 'rules' AND n.rule = 'exchange_deposit' AND lowerUTF8(n.entity) = lowerUTF8({name:String}))
        AND c.address > if({found:UInt8} = 1, {after:String}, '')
      GROUP BY c.chain, c.address, c.label
      HAVING s.1
    ) AS l
    ASOF LEFT JOIN deletion_cuts AS d ON d.chain = l.chain AND d.epoch > l.seen
    WHERE d.epoch = 0 OR l.s.3 < d.cut
    ORDER BY l.address LIMIT {limit:UInt32}
  )
SELECT chain, address, label, classification, sources, confidence, official, toUInt8(found) AS found
FROM (
  SELECT * EXCEPT best, false AS found FROM named WHERE {found:UInt8} = 0 AND (chain, label, address) > ({after_chain:String}, {after_label:String}, {after:String})
  UNION ALL
  SELECT * FROM (
    SELECT r.chain, r.address, r.label, toString(r.category), ['rules'], r.confidence, false, true
    FROM derived_labels AS r
    WHERE r.chain = {chain:String} AND r.address IN (SELECT address FROM deposits) AND r.rule = 'exchange_deposit' AND NOT r.cut AND lowerUTF8(r.entity) = lowerUTF8({name:String})
    ORDER BY r.address LIMIT 1 BY r.address
  )
)
ORDER BY found, chain, if(found, '', label), address LIMIT {limit:UInt32}
