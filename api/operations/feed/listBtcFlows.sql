-- Transactions of Bitcoin as movements between owners, as they are known now, newest block first, then the largest, strictly below a sort position.
-- An owner is the entity of an address's label, else the name of its cluster, else the cluster, else what the label says without an entity, else the address; what an owner of inputs gets back is left out. A cluster is called and classed as
-- btc_cluster_called has its name, an owner as by its address with the most.
-- Where several named owners bring inputs, one that gets more than it brought is a receiver of the difference, and of what the others brought counts what they did not get back. The sender is the owner who paid most, the receiver who got most of the rest, in both cases a named one first; receivers: the named ones, each with what it got. Where an input is unresolved nobody knows who
-- sends, or what is change: the flow is unknown, and so is the sender. Nobody in particular sends what leaves a CoinJoin (of confidence 50 and more), then as now. known_then: as it was known when the row was written.
-- Grain: one transaction. Parameters: chain, low and high (heights), from (Unix milliseconds, exclusive), min_sats, entity_only, block, net and index (the position), limit.
-- Sort keys: btc_blocks (chain, block_number), btc_transactions, btc_inputs, btc_outputs, btc_coinjoins (chain, block_number, tx_index, …), btc_flows (chain, block_number, …), prices (chain, token, block_number); clusters by the addresses.
WITH
  txs AS (
    SELECT t.block_number AS block_number, t.tx_index AS tx_index FROM btc_transactions AS t
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN {low:UInt64} AND {high:UInt64} AND t.block_time > fromUnixTimestamp64Milli({from:Int64}) AND t.output_value >= {min_sats:UInt64}
      -- Of blocks that enrich has come to: before, neither their inputs nor a price need be there.
      AND t.block_number IN (SELECT b.block_number FROM btc_blocks AS b WHERE b.chain = {chain:String} AND b.block_number BETWEEN {low:UInt64} AND {high:UInt64})
  ),
  sides AS (
    SELECT i.block_number AS block_number, i.tx_index AS tx_index, false AS received, i.party_id AS id, sum(assumeNotNull(i.value)) AS total FROM btc_inputs AS i
    WHERE i.chain = {chain:String} AND i.block_number BETWEEN {low:UInt64} AND {high:UInt64} AND i.party_id != toFixedString('', 20) AND i.value IS NOT NULL AND (i.block_number, i.tx_index) IN txs
    GROUP BY block_number, tx_index, i.party_id
    UNION ALL
    SELECT o.block_number, o.tx_index, true, o.party_id, sum(o.value) FROM btc_outputs AS o
    WHERE o.chain = {chain:String} AND o.block_number BETWEEN {low:UInt64} AND {high:UInt64} AND o.party_id != toFixedString('', 20) AND o.value > 0 AND (o.block_number, o.tx_index) IN txs
    GROUP BY o.block_number, o.tx_index, o.party_id
  ),
  parties AS (
    SELECT e.block_number AS block_number, e.tx_index AS tx_index, e.received AS received, e.owner AS owner, argMin((e.entity, e.class, e.cluster, e.id), (-toInt64(e.total), e.id)) AS most, most.1 AS entity, most.2 AS class, most.3 AS cluster, most.4 AS address, sum(e.total) AS amount
    FROM (
      SELECT s.block_number AS block_number, s.tx_index AS tx_index, s.received AS received, s.id AS id, s.total AS total, k.cluster AS cluster,
        dictGet('label_of', ('entity', 'category', 'label'), ({chain:String}, concat('0x', lower(hex(s.id))))) AS said, lower(replaceRegexpAll(said.1, '[^\\p{L}\\p{N}]', '')) AS own,
        multiIf(own != '', own, k.name != '', k.name, k.cluster != '', k.cluster, said.3 != '', concat('label ', said.3), lower(hex(s.id))) AS owner, if(own != '', said.1, n.best.1) AS entity, if(own != '' OR said.2 NOT IN ('', 'unknown'), toString(said.2), n.best.2) AS class
      FROM sides AS s
      LEFT JOIN (SELECT m.address AS id, lower(hex(m.cluster)) AS cluster, m.name AS name FROM btc_clusters_now AS m WHERE m.chain = {chain:String} AND m.address IN (SELECT id FROM sides)) AS k ON k.id = s.id
      LEFT JOIN (SELECT c.name AS name, (c.entity, c.category) AS best FROM btc_cluster_called AS c WHERE c.chain = {chain:String}) AS n ON n.name = k.name
    ) AS e
    GROUP BY block_number, tx_index, received, owner
  )
SELECT concat('0x', lower(hex(p.txid))) AS tx_hash, toFloat64(q.block_number) AS block_number, concat('0x', lower(hex(p.block_hash))) AS block_hash, p.block_time AS timestamp,
  multiIf(p.coinbase, 'coinbase', j.confidence >= 50, 'coinjoin', p.unresolved_inputs > 0, 'unknown', empty(q.others), 'internal', q.payee.5 = 'exchange', 'exchange_inflow', q.sender.5 = 'exchange', 'exchange_outflow', 'transfer') AS flow,
  toString(q.net) AS net_transfer_sats, if(r.usd > 0, toFloat64(q.net) / 1e8 * r.usd, NULL) AS value_usd, if(r.usd > 0, toString(r.method), 'unknown') AS price_method,
  nullIf(q.sender.6, '') AS from_cluster, q.sender.4 AS from_entity, if(q.sender.7 = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(q.sender.7))))) AS from_address,
  nullIf(q.payee.6, '') AS to_cluster, toString(-q.payee.2) AS to_transfer_sats, CAST(arrayMap(o -> (o.4, nullIf(o.6, ''), concat('0x', lower(hex(o.7))), toString(-o.2)), arrayFilter(o -> o.4 != '', q.others)),
    'Array(Tuple(entity String, cluster Nullable(String), address String, net_transfer_sats String))') AS receivers, q.payee.4 AS to_entity, if(q.payee.7 = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(q.payee.7))))) AS to_address,
  if(p.coinbase, 0, p.input_count) AS inputs, p.unresolved_inputs AS inputs_unresolved, p.output_count AS outputs, toString(p.fee) AS fee_sats,
  if(f.flow = '', NULL, tuple(if(j.confidence >= 50, 'coinjoin', toString(f.flow)), toString(f.net), if(j.confidence >= 50, '', toString(f.from_entity)), toString(f.to_entity))) AS known_then, [toString(q.block_number), toString(q.net), toString(q.tx_index)] AS at
FROM (
  SELECT block_number, tx_index, any(unsure) AS blank, arraySort(groupArrayIf((entity = '', -toInt64(amount), owner, entity, class, cluster, address), NOT received)) AS ins, arraySort(groupArrayIf((entity = '', -toInt64(amount), owner, entity, class, cluster, address), received)) AS outs,
    arrayCount(i -> i.4 != '', ins) > 1 AS joint, if(joint, arrayFilter(i -> i.4 != '', ins), []) AS brought, if(joint, arraySort(arrayMap(i -> tupleConcat(tuple(i.1, i.2 - outs.2[indexOf(outs.3, i.3)]), tuple(i.3, i.4, i.5, i.6, i.7)), brought)), ins) AS lost,
    arraySort(arrayConcat(arrayFilter(o -> NOT has(ins.3, o.3), outs), arrayFilter(o -> o.2 < 0, arrayMap(o -> tupleConcat(tuple(o.1, o.2 - brought.2[indexOf(brought.3, o.3)]), tuple(o.3, o.4, o.5, o.6, o.7)), arrayFilter(o -> has(brought.3, o.3), outs))))) AS others,
    toUInt64(-arraySum(others.2)) AS net, if(blank, arrayElement(ins, length(ins) + 1), lost[1]) AS sender, others[1] AS payee
  FROM parties INNER JOIN (SELECT u.block_number AS block_number, u.tx_index AS tx_index, u.unresolved_inputs > 0 OR (u.block_number, u.tx_index) IN (SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number BETWEEN {low:UInt64} AND {high:UInt64} AND c.confidence >= 50) AS unsure FROM btc_transactions AS u WHERE u.chain = {chain:String} AND u.block_number BETWEEN {low:UInt64} AND {high:UInt64}) AS b USING (block_number, tx_index)
  GROUP BY block_number, tx_index
  HAVING net >= {min_sats:UInt64} AND (block_number, net, tx_index) < ({block:UInt64}, {net:UInt64}, {index:UInt32}) AND (NOT {entity_only:Bool} OR sender.4 != '' OR payee.4 != '')
  ORDER BY block_number DESC, net DESC, tx_index DESC LIMIT {limit:UInt32}
) AS q
INNER JOIN (SELECT * FROM btc_transactions AS t WHERE t.chain = {chain:String} AND t.block_number BETWEEN {low:UInt64} AND {high:UInt64}) AS p ON p.block_number = q.block_number AND p.tx_index = q.tx_index
LEFT JOIN (SELECT block_number, tx_index, flow, net, from_entity, to_entity FROM btc_flows WHERE chain = {chain:String} AND block_number BETWEEN {low:UInt64} AND {high:UInt64}) AS f ON f.block_number = q.block_number AND f.tx_index = q.tx_index
LEFT JOIN (
  SELECT c.block_number AS block_number, c.tx_index AS tx_index, max(c.confidence) AS confidence FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number BETWEEN {low:UInt64} AND {high:UInt64} GROUP BY c.block_number, c.tx_index
) AS j ON j.block_number = q.block_number AND j.tx_index = q.tx_index
LEFT JOIN (SELECT block_number, usd, method FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {low:UInt64} AND {high:UInt64}) AS r ON r.block_number = q.block_number
ORDER BY q.block_number DESC, q.net DESC, q.tx_index DESC
