-- What went in and out of each exchange on Bitcoin as its addresses and clusters are known today, by its net in each transaction: change and moves within it are in none of the sums.
-- Dollars are added up in whole millionths: in whatever order, the sum is the same. *_unknown: what it received where an input of the transaction is unresolved, which may be its own change: in no other sum. usd_listed_*: all of it, as on a chain without tokens.
-- An exchange is an entity with a label of that class; its addresses are those its labels name, in whatever spelling (letters and digits count, whatever their case; the one of most addresses is shown), and those of clusters that go by its name, unless a label says otherwise of one.
-- Grain: one exchange. Parameters: chain, first, newest (heights), from (Unix milliseconds, at a full hour), limit.
-- Of blocks that enrich has come to. Sort keys: btc_blocks, btc_outputs, btc_inputs, btc_transactions (chain, block_number, …), by both heights; btc_cluster_lists (chain, cluster, …), prices (chain, token, block_number). Labels and names of clusters are small and read whole.
WITH
  spellings AS (SELECT d.entity AS entity, lower(replaceRegexpAll(d.entity, '[^\\p{L}\\p{N}]', '')) AS own, if(own = '', d.entity, own) AS name, count() AS addresses FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.category = 'exchange' AND d.entity != '' GROUP BY d.entity),
  exchanges AS MATERIALIZED (SELECT argMax(s.entity, (s.addresses, s.entity)) AS entity, s.name AS name FROM spellings AS s GROUP BY s.name),
  labelled AS (SELECT toFixedString(unhex(substring(d.address, 3)), 20) AS id, lower(replaceRegexpAll(d.entity, '[^\\p{L}\\p{N}]', '')) AS own, if(own = '', d.entity, own) AS name FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.entity != '' AND match(d.address, '^0x[0-9a-f]{40}$')),
  owned AS (
    SELECT n.id AS id, x.entity AS entity FROM labelled AS n INNER JOIN exchanges AS x ON x.name = n.name
    UNION ALL
    SELECT l.address, any(c.entity) FROM btc_cluster_lists AS l
    INNER JOIN (SELECT e.cluster AS cluster, min(x.entity) AS entity FROM btc_cluster_entities AS e FINAL INNER JOIN exchanges AS x ON x.name = e.name WHERE e.chain = {chain:String} AND e.name != '' GROUP BY e.cluster) AS c ON c.cluster = l.cluster
    WHERE l.chain = {chain:String} AND l.cluster IN (SELECT e.cluster FROM btc_cluster_entities AS e FINAL WHERE e.chain = {chain:String} AND e.name IN (SELECT name FROM exchanges)) AND l.address NOT IN (SELECT id FROM labelled)
    GROUP BY l.cluster, l.address HAVING argMax(l.present, l.version)
  )
SELECT n.exchange AS exchange, toFloat64(countIf(n.kind = 'in')) AS transfers_in, toFloat64(countIf(n.kind = 'out')) AS transfers_out, toFloat64(sumIf(n.usd, n.kind = 'in')) AS usd_in, toFloat64(sumIf(n.usd, n.kind = 'out')) AS usd_out,
  usd_in - usd_out AS usd_net, usd_in AS usd_listed_in, usd_out AS usd_listed_out, toString(sumIf(toUInt256(abs(n.net)), n.kind = 'in')) AS sats_in, toString(sumIf(toUInt256(abs(n.net)), n.kind = 'out')) AS sats_out,
  toFloat64(countIf(n.kind = 'unknown')) AS transfers_unknown, toFloat64(sumIf(n.usd, n.kind = 'unknown')) AS usd_unknown, toString(sumIf(toUInt256(n.taken), n.kind = 'unknown')) AS sats_unknown
FROM (
  SELECT s.entity AS exchange, s.taken AS taken, toInt64(s.taken) - toInt64(s.given) AS net, multiIf(t.unresolved_inputs > 0, 'unknown', s.given > 0 AND s.taken <= s.given AND s.given - s.taken <= ifNull(t.fee, 0), 'internal', s.taken > s.given, 'in', 'out') AS kind,
    toDecimal256(least(ifNull(if(kind = 'unknown', toFloat64(s.taken), toFloat64(abs(net))) / 1e8 * nullIf(p.usd, 0), 0), 1e60), 6) AS usd
  FROM (
    SELECT u.block_number AS block_number, u.tx_index AS tx_index, w.entity AS entity, sum(u.taken) AS taken, sum(u.given) AS given
    FROM (
      SELECT o.block_number AS block_number, o.tx_index AS tx_index, toFixedString(substring(SHA256(o.address), 1, 20), 20) AS id, o.value AS taken, toUInt64(0) AS given FROM btc_outputs AS o
      WHERE o.chain = {chain:String} AND o.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND o.block_time > fromUnixTimestamp64Milli({from:Int64}) AND o.address != ''
      UNION ALL
      SELECT i.block_number, i.tx_index, toFixedString(substring(SHA256(i.address), 1, 20), 20), 0, assumeNotNull(i.value) FROM btc_inputs AS i
      WHERE i.chain = {chain:String} AND i.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND i.block_time > fromUnixTimestamp64Milli({from:Int64}) AND i.address != '' AND i.value IS NOT NULL
    ) AS u
    INNER JOIN owned AS w ON w.id = u.id
    GROUP BY block_number, tx_index, entity
  ) AS s
  INNER JOIN (SELECT block_number, tx_index, fee, unresolved_inputs FROM btc_transactions WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64}
    AND block_number IN (SELECT b.block_number FROM btc_blocks AS b WHERE b.chain = {chain:String} AND b.block_number BETWEEN {first:UInt64} AND {newest:UInt64})) AS t ON t.block_number = s.block_number AND t.tx_index = s.tx_index
  LEFT JOIN (SELECT block_number, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {first:UInt64} AND {newest:UInt64}) AS p ON p.block_number = s.block_number
) AS n
WHERE n.kind != 'internal'
GROUP BY exchange
ORDER BY usd_in + usd_out DESC, transfers_in + transfers_out DESC, exchange
LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
