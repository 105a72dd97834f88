-- What each address of Bitcoin received and sent, exactly: one row in for each output, one row out for each input whose output is known.
-- Grain: one output or one resolved input. Parameters: chain, from, to, generation.
-- position: place of the transaction in its block; sub: number of the output or the input. other: the main sender or receiver of the transaction (btc_flows), zero where
-- it is not known. Sort keys: btc_outputs, btc_inputs (chain, block_number, tx_index, …), btc_flows (chain, block_number, …), prices (chain, token, block_number).
-- Rows leave in no order: the table sorts them.
INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation)
SELECT {chain:String}, s.id, s.block_number, f.kind, s.tx_index, s.sub, s.direction, s.block_time, s.txid, toFixedString('', 20),
  if(s.direction = 1, f.from_address, f.to_address), toUInt256(s.value), 0, if(f.usd > 0, toFloat64(s.value) / 1e8 * f.usd, NULL), {generation:UInt32}
FROM (
  SELECT block_number, tx_index, vout AS sub, CAST(1, 'Enum8(\'in\' = 1, \'out\' = 2)') AS direction, block_time, txid, party_id AS id, value FROM btc_outputs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND party_id != toFixedString('', 20)
  UNION ALL
  SELECT block_number, tx_index, vin, CAST(2, 'Enum8(\'in\' = 1, \'out\' = 2)'), block_time, txid, party_id, assumeNotNull(value) FROM btc_inputs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND party_id != toFixedString('', 20) AND value IS NOT NULL
) AS s
INNER JOIN (
  SELECT t.block_number AS block_number, t.tx_index AS tx_index, CAST(if(t.flow = 'coinbase', 10, 9), 'Enum8(\'utxo\' = 9, \'coinbase\' = 10)') AS kind, t.from_address AS from_address, t.to_address AS to_address, p.usd AS usd
  FROM (SELECT block_number, tx_index, flow, from_address, to_address FROM btc_flows WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS t
  LEFT JOIN (
    SELECT block_number, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  ) AS p ON p.block_number = t.block_number
) AS f ON f.block_number = s.block_number AND f.tx_index = s.tx_index
SETTINGS max_threads = 1, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
