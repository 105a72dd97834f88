-- Value that moved to parties that did not pay for it (addresses, and scripts that have none), with what was known of it then: value in dollars, labels of both sides. Grain: one output (position: transaction, sub: output).
-- Parameters: chain, from, to, generation. Sort keys: btc_inputs and btc_outputs (chain, block_number, tx_index, …), prices (chain, token, block_number). A party stands as its id.
-- from_address is the party that brought most of the inputs (of equals the one that comes first): zero in a coinbase, and zero while an input is unresolved, for then it is not known: from_class says unresolved, and the movement may be change of whoever sent it.
-- The price is the block's own (prices.sql); value_usd is null where it has none. Rows leave in no order: the table sorts them.
INSERT INTO transfers (chain, block_number, kind, position, sub, block_hash, block_time, tx_index, tx_hash, token, token_symbol, token_decimals,
  from_address, to_address, amount, token_id, value_usd, price_method, from_label, from_entity, from_class, to_label, to_entity, to_class, generation)
SELECT {chain:String}, o.block_number, CAST(if(o.tx_index = 0, 10, 9), 'Enum8(\'utxo\' = 9, \'coinbase\' = 10)'), o.tx_index, o.vout, o.block_hash, o.block_time, o.tx_index, o.txid, toFixedString('', 20), 'BTC', 8,
  i.payer, o.id, toUInt256(o.value), toUInt256(0), if(p.usd > 0, toFloat64(o.value) / 1e8 * p.usd, NULL), if(p.usd > 0, p.method, ''), i.said.1, i.said.2, i.said.3,
  o.said.1, o.said.2, o.said.3, {generation:UInt32}
FROM (
  SELECT block_number, tx_index, vout, block_hash, block_time, txid, party_id AS id, value,
    if(dictHas('label_of', ({chain:String}, concat('0x', lower(hex(id))))), dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(id))))), ('', '', 'unknown')) AS said
  FROM btc_outputs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND party_id != toFixedString('', 20) AND value > 0
) AS o
INNER JOIN (
  SELECT block_number, tx_index, if(max(unresolved), toFixedString('', 20), argMax(id, bitShiftLeft(toUInt128(brought), 32) + bitNot(first))) AS payer,
    if(dictHas('label_of', ({chain:String}, concat('0x', lower(hex(payer))))), dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(payer))))),
      ('', '', if(tx_index > 0 AND payer = toFixedString('', 20), 'unresolved', 'unknown'))) AS said
  FROM (
    SELECT block_number, tx_index, party_id AS id, sum(ifNull(value, 0)) AS brought, min(vin) AS first, max(prevout = 'unresolved') AS unresolved FROM btc_inputs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
    GROUP BY block_number, tx_index, id
  ) GROUP BY block_number, tx_index
) AS i ON i.block_number = o.block_number AND i.tx_index = o.tx_index
LEFT JOIN (
  SELECT block_number, usd, method FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS p ON p.block_number = o.block_number
-- Who paid is looked up: a list of all payers beside each output would grow with the product of both.
WHERE (o.block_number, o.tx_index, o.id) NOT IN (
  SELECT block_number, tx_index, party_id FROM btc_inputs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
)
-- On one thread: the parts of a group on several would have to be brought together, and one that may have to be is slower from the beginning; from a gigabyte on it is cut, so that it can be written to disk.
SETTINGS max_threads = 1, group_by_two_level_threshold = 0, group_by_two_level_threshold_bytes = 1000000000, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
