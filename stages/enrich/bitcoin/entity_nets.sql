-- What each known entity gained or lost in each transaction, internal change netted out. Grain: one entity in one transaction.
-- Parameters: chain, from, to, generation. Sort keys: btc_flows (chain, block_number, …), prices (chain, token, block_number).
-- Who lost no more than the fee moved value within itself. Where an input is unresolved, what an entity received may be its own change: whether it gained or lost is unknown.
INSERT INTO btc_entity_nets (chain, block_number, tx_index, entity, class, block_time, txid, kind, received, sent, net, fee, unresolved_inputs, value_usd, generation)
SELECT {chain:String}, s.block_number, s.tx_index, s.entity, s.class, s.at, s.tx, multiIf(s.blank > 0, 'unknown', s.given > 0 AND s.taken <= s.given AND s.given - s.taken <= ifNull(s.paid, 0), 'internal', s.taken > s.given, 'in', 'out'),
  s.taken, s.given, toInt64(s.taken) - toInt64(s.given) AS net, s.paid, s.blank, if(p.usd > 0, if(s.blank > 0, toFloat64(s.taken), toFloat64(abs(net))) / 1e8 * p.usd, NULL), {generation:UInt32}
FROM (
  SELECT block_number, tx_index, side.1 AS entity, min(side.2) AS class, sum(side.3) AS taken, sum(side.4) AS given, any(block_time) AS at, any(txid) AS tx, any(fee) AS paid, any(unresolved_inputs) AS blank
  FROM (SELECT block_number, tx_index, block_time, txid, fee, unresolved_inputs, named FROM btc_flows WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND notEmpty(named))
  ARRAY JOIN named AS side
  GROUP BY block_number, tx_index, entity
) AS s
LEFT JOIN (
  SELECT block_number, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS p ON p.block_number = s.block_number
ORDER BY s.block_number, s.tx_index, s.entity
