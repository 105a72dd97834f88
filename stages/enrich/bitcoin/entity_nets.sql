-- What each known entity gained or lost in each transaction, internal change netted out. Grain: one entity in one transaction.
-- Parameters: chain, from, to, generation. Sort keys: btc_outputs, btc_inputs, btc_transactions (chain, block_number, tx_index, …), prices (chain, token, block_number).
-- Who lost no more than the fee moved value within itself.
INSERT INTO btc_entity_nets (chain, block_number, tx_index, entity, class, block_time, txid, kind, received, sent, net, fee, unresolved_inputs, value_usd, generation)
SELECT {chain:String}, s.block_number, s.tx_index, s.entity, s.class, t.block_time, t.txid,
  multiIf(s.sent > 0 AND s.received <= s.sent AND s.sent - s.received <= ifNull(t.fee, 0), 'internal', s.received > s.sent, 'in', 'out'), s.received, s.sent, toInt64(s.received) - toInt64(s.sent) AS net,
  t.fee, t.unresolved_inputs, if(p.usd > 0, toFloat64(abs(net)) / 1e8 * p.usd, NULL), {generation:UInt32}
FROM (
  SELECT block_number, tx_index, known.1 AS entity, min(known.2) AS class, sum(gained) AS received, sum(lost) AS sent
  FROM (
    SELECT block_number, tx_index, gained, lost, dictGet('label_of', ('entity', 'category'), ({chain:String}, concat('0x', lower(hex(substring(SHA256(address), 1, 20)))))) AS known
    FROM (
      SELECT block_number, tx_index, address, value AS gained, toUInt64(0) AS lost FROM btc_outputs
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND address != ''
      UNION ALL
      SELECT block_number, tx_index, address, 0, assumeNotNull(value) FROM btc_inputs
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND address != '' AND value IS NOT NULL
    )
  )
  WHERE entity != ''
  GROUP BY block_number, tx_index, entity
) AS s
INNER JOIN (
  SELECT block_number, tx_index, block_time, txid, fee, unresolved_inputs FROM btc_transactions WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
) AS t ON t.block_number = s.block_number AND t.tx_index = s.tx_index
LEFT JOIN (
  SELECT block_number, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
) AS p ON p.block_number = s.block_number
ORDER BY s.block_number, s.tx_index, s.entity
