-- Transactions of Bitcoin as movements between owners, newest block first, then the largest, strictly below a sort position.
-- Grain: one transaction. Parameters: chain, first (lowest height), newest (highest), from (Unix milliseconds, exclusive), min_sats, entity_only, block, net and index (the position), limit.
-- Sort key: btc_flows (chain, block_number, net, tx_index), read in reverse; btc_coinjoins (chain, block_number, tx_index) by the page's heights; clusters by the page's addresses.
WITH
  page AS (
    SELECT * FROM btc_flows AS f
    WHERE f.chain = {chain:String} AND f.block_number BETWEEN {first:UInt64} AND least({newest:UInt64}, {block:UInt64}) AND f.block_time > fromUnixTimestamp64Milli({from:Int64})
      AND (f.block_number, f.net, f.tx_index) < ({block:UInt64}, {net:UInt64}, {index:UInt32}) AND f.net >= {min_sats:UInt64} AND (NOT {entity_only:Bool} OR f.from_entity != '' OR f.to_entity != '')
    ORDER BY f.chain DESC, f.block_number DESC, f.net DESC, f.tx_index DESC LIMIT {limit:UInt32}
  ),
  owners AS (
    SELECT m.address AS address, m.cluster AS cluster, m.name AS name FROM btc_clusters_now AS m
    WHERE m.chain = {chain:String} AND m.address IN (SELECT p.from_address FROM page AS p UNION ALL SELECT p.to_address FROM page AS p)
  ),
  joined AS (
    SELECT c.block_number AS block_number, c.tx_index AS tx_index, max(c.confidence) AS confidence FROM btc_coinjoins AS c
    WHERE c.chain = {chain:String} AND c.block_number IN (SELECT p.block_number FROM page AS p) GROUP BY c.block_number, c.tx_index
  )
SELECT concat('0x', lower(hex(p.txid))) AS tx_hash, toFloat64(p.block_number) AS block_number, concat('0x', lower(hex(p.block_hash))) AS block_hash, p.block_time AS timestamp,
  if(j.confidence >= 50, 'coinjoin', toString(p.flow)) AS flow, toString(p.net) AS net_transfer_sats, p.value_usd AS value_usd,
  if(o.cluster = toFixedString('', 20), NULL, toNullable(lower(hex(o.cluster)))) AS from_cluster, toString(p.from_entity) AS from_entity,
  if(p.from_address = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(p.from_address))))) AS from_address,
  if(r.cluster = toFixedString('', 20), NULL, toNullable(lower(hex(r.cluster)))) AS to_cluster, toString(p.to_entity) AS to_entity,
  if(p.to_address = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(p.to_address))))) AS to_address,
  p.inputs AS inputs, p.unresolved_inputs AS inputs_unresolved, p.outputs AS outputs, toString(p.fee) AS fee_sats, [toString(p.block_number), toString(p.net), toString(p.tx_index)] AS at
FROM page AS p
LEFT JOIN owners AS o ON o.address = p.from_address
LEFT JOIN owners AS r ON r.address = p.to_address
LEFT JOIN joined AS j ON j.block_number = p.block_number AND j.tx_index = p.tx_index
ORDER BY p.block_number DESC, p.net DESC, p.tx_index DESC
