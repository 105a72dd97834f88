-- Value that moved to parties that did not pay for it: addresses, and scripts that have none. Grain: one output (position: transaction, sub: output). Parameters: chain, from, to, generation.
-- from_address is the party that brought most of the inputs (of equals the one that comes first): zero in a coinbase, and zero while an input is
-- unresolved, for then it is not known.
-- Sort keys: btc_inputs and btc_outputs (chain, block_number, tx_index, …). A party stands as its id.
-- Rows leave in no order: the table sorts them.
INSERT INTO movements (chain, block_number, kind, position, sub, block_hash, block_time, tx_index, tx_hash, token, from_address, to_address, amount, token_id, generation)
SELECT {chain:String}, o.block_number, CAST(if(o.tx_index = 0, 10, 9), 'Enum8(\'utxo\' = 9, \'coinbase\' = 10)') AS kind, o.tx_index AS position, o.vout, o.block_hash, o.block_time, o.tx_index, o.txid, toFixedString('', 20),
  i.payer, o.id, toUInt256(o.value), toUInt256(0), {generation:UInt32}
FROM (
  SELECT block_number, tx_index, vout, block_hash, block_time, txid, party_id AS id, value FROM btc_outputs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND party_id != toFixedString('', 20) AND value > 0
) AS o
INNER JOIN (
  SELECT block_number, tx_index, if(max(unresolved), toFixedString('', 20), argMax(id, bitShiftLeft(toUInt128(brought), 32) + bitNot(first))) AS payer, groupArray(id) AS payers FROM (
    SELECT block_number, tx_index, party_id AS id, sum(ifNull(value, 0)) AS brought, min(vin) AS first, max(prevout = 'unresolved') AS unresolved FROM btc_inputs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
    GROUP BY block_number, tx_index, id
  ) GROUP BY block_number, tx_index
) AS i ON i.block_number = o.block_number AND i.tx_index = o.tx_index
WHERE NOT has(i.payers, o.id)
SETTINGS max_threads = 1, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
