-- Tells what sanctions lists say of watched addresses: every change since an address was watched, and at once what stood when it was added. A designation that names an address under several assets
-- (changes are by asset), or in several texts of the same key, is listed with the first and delisted with the last of them. Grain: one change of one designation of one
-- address, in one list. Parameters: seq (of the last event: with another nothing is told), most. Tables of lists, of their changes and of these events are small and read whole.
INSERT INTO watch_alerts (owner, seq, alert_id, list_id, event, severity, chain, address, block_number, block_hash, block_time, tx_hash, direction, kind, token, token_symbol, token_decimals, amount, token_id, value_usd,
  other, other_label, other_class, register, list_version, entry_id, entity_name, landed_at, at)
SELECT owner, {seq:UInt64} + row_number() OVER (ORDER BY changed_at, version, alert_id), alert_id, list_id, event, if(event = 'listed', 'critical', 'info'), chain, address, 0, '', changed_at, '', '', '', '', '', NULL, 0, 0, NULL,
  '', '', '', register, list_version, entry_id, entity_name, changed_at, now64(3)
FROM (
  SELECT w.owner AS owner, w.list_id AS list_id, w.address AS address, w.chain AS chain, c.register AS register, c.list_version AS list_version, c.list_id AS entry_id, c.entity_name AS entity_name, c.version AS version, c.at AS changed_at,
    CAST(if(c.change = 'added', 'listed', 'delisted'), 'Enum8(\'transfer\' = 1, \'retracted\' = 2, \'listed\' = 3, \'delisted\' = 4)') AS event,
    SHA256(concat(c.change, '|', w.owner, '|', w.list_id, '|', w.key, '|', toString(w.added_at), '|', c.register, '|', c.list_id, '|', toString(c.version))) AS alert_id
  FROM (
    SELECT register, version, base, list_id, if(assets > 0, 'added', 'removed') AS change, list_version, entity_name, at, version = max(version) OVER (PARTITION BY register, base, list_id) AND assets > 0 AS stands
    FROM (
      SELECT *, sum(delta) OVER (PARTITION BY register, base, list_id ORDER BY version) AS assets
      FROM (
        SELECT x.register AS register, x.version AS version, if(empty(d.also), x.key, d.also[1]) AS base, x.list_id AS list_id, any(x.list_version) AS list_version, any(x.entity_name) AS entity_name, min(x.at) AS at,
          toInt64(uniqExactIf((x.key, x.asset), x.change = 'added')) - toInt64(uniqExactIf((x.key, x.asset), x.change = 'removed')) AS delta
        FROM sanctions_changes AS x LEFT JOIN (SELECT register, key, any(also) AS also FROM designations GROUP BY register, key) AS d ON d.register = x.register AND d.key = x.key
        GROUP BY register, version, base, list_id
      )
    )
    WHERE (assets > 0) != (assets - delta > 0)
  ) AS c
  INNER JOIN watched_now AS w ON w.base = c.base
  WHERE c.at >= w.added_at OR c.stands
) AS n
WHERE n.alert_id NOT IN (SELECT k.alert_id FROM watch_alerts AS k WHERE k.event IN ('listed', 'delisted')) AND (SELECT max(l.seq) FROM watch_alerts AS l) = {seq:UInt64}
ORDER BY changed_at, version, alert_id
LIMIT {most:UInt32}
