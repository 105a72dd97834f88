-- Tells transfers of watched addresses to those whose lists have them, the oldest first, each once; one that was retracted and came back is told again. Grain: one transfer in one list.
-- Parameters: chain, since (transfers landed after it, Unix microseconds), seq (of the last event: with another nothing is told), mostOfOwner, most. A counterparty on a sanctions list, under whichever text of its key, is critical, one of a bad class high, where the token is the coin or a listed one: another says what it likes of anybody, so it is told and no more.
-- Sort keys: watched_transfers by its index on landed_at, btc_parties (id); lists, their changes and designations are small and read whole; token_of is in memory.
INSERT INTO watch_alerts (owner, seq, alert_id, list_id, event, severity, chain, address, block_number, block_hash, block_time, tx_hash, direction, kind, token, token_symbol, token_decimals, amount, token_id, value_usd,
  other, other_label, other_class, register, list_version, entry_id, entity_name, landed_at, at)
WITH landed AS (SELECT * FROM watched_transfers WHERE chain = {chain:String} AND landed_at > fromUnixTimestamp64Micro({since:Int64}))
SELECT owner, {seq:UInt64} + row_number() OVER (ORDER BY landed_at, block_number, kind, position, sub, direction, owner, list_id), alert_id, list_id, 'transfer',
  multiIf(token != toFixedString('', 20) AND NOT dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(token))))), 'info', class = 'sanctioned', 'critical', class IN ('mixer', 'hack', 'ransomware', 'scam', 'extremism', 'blacklisted', 'market'), 'high', 'info'),
  {chain:String}, address, block_number, block_hash, block_time, tx_hash, direction, kind, token, token_symbol, token_decimals, amount, token_id, value_usd, other_text, other_label, class, '', '', '', '', landed_at, now64(3)
FROM (
  SELECT n.*, if({chain:String} = 'BTC', b.text, concat('0x', lower(hex(n.other)))) AS other_text, if(lower(other_text) IN (
      SELECT arrayJoin(arrayPushFront(d.also, c.key))
      FROM (SELECT key FROM sanctions_changes AS x GROUP BY x.register, x.list_id, x.key, x.asset HAVING argMax(x.change, x.version) = 'added') AS c
      LEFT JOIN (SELECT key, any(also) AS also FROM designations GROUP BY key) AS d ON d.key = c.key), 'sanctioned', n.other_class) AS class
  FROM (
    SELECT t.* EXCEPT (address, direction), toString(t.direction) AS direction, w.owner AS owner, w.list_id AS list_id, w.address AS address,
      SHA256(concat('transfer|', w.owner, '|', w.list_id, '|', w.key, '|', t.chain, '|', hex(t.block_hash), '|', hex(t.tx_hash), '|', t.kind, ':', toString(t.position), ':', toString(t.sub), ':', toString(t.direction))) AS alert_id
    FROM landed AS t
    INNER JOIN (SELECT * FROM watched_now WHERE chain = {chain:String}) AS w ON w.id = t.address
    WHERE t.landed_at >= w.added_at AND (t.value_usd IS NULL OR t.value_usd >= w.min_usd)
  ) AS n
  LEFT JOIN (SELECT id, any(d.address) AS text FROM btc_parties AS d WHERE {chain:String} = 'BTC' AND id IN (SELECT other FROM landed) GROUP BY id) AS b ON b.id = n.other
  WHERE n.alert_id NOT IN (
    SELECT k.alert_id FROM watch_alerts AS k WHERE k.chain = {chain:String} AND k.landed_at > fromUnixTimestamp64Micro({since:Int64}) AND k.event IN ('transfer', 'retracted') GROUP BY k.alert_id HAVING argMax(k.event, k.seq) = 'transfer')
  ORDER BY landed_at, block_number, kind, position, sub, direction, owner, list_id
  LIMIT {mostOfOwner:UInt32} BY owner
  LIMIT {most:UInt32}
)
WHERE (SELECT max(l.seq) FROM watch_alerts AS l) = {seq:UInt64}
