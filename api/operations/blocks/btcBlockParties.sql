-- Of how many parties (btc_outputs.party) a block of Bitcoin spends, null while an input is unresolved, and how many it pays; a coinbase spends nobody's. inputs, outputs: how many of them are there yet.
-- Grain: one block of one generation. Parameters: chain, at. Sort keys: btc_inputs, btc_outputs (chain, block_number, …).
SELECT concat('0x', lower(hex(block_hash))) AS hash, generation, toFloat64(countIf(spent)) AS inputs, toFloat64(countIf(NOT spent)) AS outputs,
  if(countIf(lost) > 0, NULL, toNullable(toFloat64(uniqExactIf(id, spent AND id != toFixedString('', 20))))) AS senders,
  toFloat64(uniqExactIf(id, NOT spent AND id != toFixedString('', 20))) AS receivers
FROM (
  SELECT block_hash, generation, party_id AS id, true AS spent, prevout = 'unresolved' AS lost FROM btc_inputs WHERE chain = {chain:String} AND block_number = {at:UInt64}
  UNION ALL
  SELECT block_hash, generation, party_id, false, false FROM btc_outputs WHERE chain = {chain:String} AND block_number = {at:UInt64}
) GROUP BY block_hash, generation
SETTINGS max_threads = 1
