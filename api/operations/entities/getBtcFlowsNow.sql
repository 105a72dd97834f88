-- What went in and out of one entity on Bitcoin as its addresses and clusters are known today, by its net in each transaction: change and moves within it are in none of the sums.
-- Dollars are added up in whole millionths: in whatever order, the sum is the same. *_unknown: what it received where an input of the transaction is unresolved, which may be its own change: in no other sum. Its addresses are those its labels
-- name, in whatever spelling (letters and digits count, whatever their case), and those of clusters that go by its name, unless a label says otherwise of one. Grain: one row. Parameters: chain, entity (as labels has it), first, newest (heights), from (Unix milliseconds, at a full hour).
-- Sort keys: address_transfers (chain, address, block_number, …), by the addresses and both heights; btc_transactions (chain, block_number, …); btc_cluster_lists (chain, cluster, …), prices (chain, token, block_number).
WITH
  labelled AS MATERIALIZED (SELECT toFixedString(unhex(substring(d.address, 3)), 20) AS id, d.entity AS entity, lower(replaceRegexpAll(d.entity, '[^\\p{L}\\p{N}]', '')) AS name FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.entity != '' AND match(d.address, '^0x[0-9a-f]{40}$')),
  owned AS (
    SELECT id FROM labelled WHERE entity = {entity:String} OR (name != '' AND name = lower(replaceRegexpAll({entity:String}, '[^\\p{L}\\p{N}]', '')))
    UNION DISTINCT
    SELECT l.address AS id FROM btc_cluster_lists AS l
    WHERE l.chain = {chain:String} AND l.address NOT IN (SELECT id FROM labelled)
      AND l.cluster IN (SELECT e.cluster FROM btc_cluster_entities AS e FINAL WHERE e.chain = {chain:String} AND e.name != '' AND e.name = lower(replaceRegexpAll({entity:String}, '[^\\p{L}\\p{N}]', '')))
    GROUP BY l.cluster, l.address HAVING argMax(l.present, l.version)
  )
SELECT toFloat64(countIf(n.kind = 'in')) AS transfers_in, toFloat64(countIf(n.kind = 'out')) AS transfers_out, toFloat64(countIf(n.kind = 'unknown')) AS transfers_unknown,
  toString(sumIf(toUInt256(abs(n.net)), n.kind = 'in')) AS sats_in, toString(sumIf(toUInt256(abs(n.net)), n.kind = 'out')) AS sats_out, toString(sumIf(toUInt256(n.taken), n.kind = 'unknown')) AS sats_unknown,
  toFloat64(sumIf(n.usd, n.kind = 'in')) AS usd_in, toFloat64(sumIf(n.usd, n.kind = 'out')) AS usd_out, toFloat64(sumIf(n.usd, n.kind = 'unknown')) AS usd_unknown
FROM (
  SELECT s.taken AS taken, toInt64(s.taken) - toInt64(s.given) AS net, multiIf(t.unresolved_inputs > 0, 'unknown', s.given > 0 AND s.taken <= s.given AND s.given - s.taken <= ifNull(t.fee, 0), 'internal', s.taken > s.given, 'in', 'out') AS kind,
    toDecimal256(least(ifNull(if(kind = 'unknown', toFloat64(s.taken), toFloat64(abs(net))) / 1e8 * nullIf(p.usd, 0), 0), 1e60), 6) AS usd
  FROM (
    SELECT a.block_number AS block_number, a.position AS tx_index, sumIf(toUInt64(a.amount), a.direction = 'in') AS taken, sumIf(toUInt64(a.amount), a.direction = 'out') AS given FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address IN (SELECT id FROM owned) AND a.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND a.block_time > fromUnixTimestamp64Milli({from:Int64})
    GROUP BY block_number, tx_index
  ) AS s
  INNER JOIN (SELECT block_number, tx_index, fee, unresolved_inputs FROM btc_transactions WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64}) AS t ON t.block_number = s.block_number AND t.tx_index = s.tx_index
  LEFT JOIN (SELECT block_number, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {first:UInt64} AND {newest:UInt64}) AS p ON p.block_number = s.block_number
) AS n
SETTINGS enable_materialized_cte = 1
