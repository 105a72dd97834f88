-- Inputs of which the node did not say what they spend, with what our own outputs say. Grain: one input. Parameters: chain, from, to, floor, generation.
-- Looked for from floor on and up to the batch's last block, for batches are resolved in the order of blocks: the same plan gives the same rows,
-- whatever order its batches came in. Sort keys: btc_read_inputs (chain, block_number, …), btc_txids (chain, prefix), btc_outputs (chain, block_number,
-- tx_index, vout). Of two outputs with one name the later one is meant: a coinbase before block 91,881
-- that replaced another, or a transaction whose first block a rollback is about to sweep.
INSERT INTO btc_inputs (chain, block_number, tx_index, vin, block_hash, block_time, txid, prev_txid, prev_vout, prev_block, prevout, value, script_type, address, sequence, script_id, generation)
WITH
  wanted AS (
    SELECT DISTINCT prev_txid FROM btc_read_inputs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  ),
  found AS (
    SELECT block_number, tx_index FROM btc_txids
    WHERE chain = {chain:String} AND prefix IN (SELECT reinterpretAsUInt64(prev_txid) FROM wanted) AND block_number BETWEEN {floor:UInt64} AND {to:UInt64}
  )
SELECT {chain:String}, i.block_number, i.tx_index, i.vin, i.block_hash, i.block_time, i.txid, i.prev_txid, i.prev_vout, o.prev_block, if(isNull(o.prev_block), 'unresolved', 'own'), o.value,
  o.script_type, o.address, i.sequence, o.script_id, {generation:UInt32}
FROM (
  SELECT * FROM btc_read_inputs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS i
LEFT JOIN (
  SELECT txid, vout, toNullable(block_number) AS prev_block, toNullable(value) AS value, script_type, address, script_id FROM btc_outputs
  WHERE chain = {chain:String} AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM found) AND txid IN (SELECT prev_txid FROM wanted)
  ORDER BY generation DESC, btc_outputs.block_number DESC LIMIT 1 BY txid, vout
) AS o ON o.txid = i.prev_txid AND o.vout = i.prev_vout
ORDER BY i.block_number, i.tx_index, i.vin
