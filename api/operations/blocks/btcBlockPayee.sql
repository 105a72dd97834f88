-- Which miner the coinbase of a block of Bitcoin pays, by the label of an address, the one that gets most first; '' where no label says that.
-- Grain: one block whose coinbase pays an address. Parameters: chain, at. Sort key: btc_outputs (chain, block_number, tx_index, …).
SELECT concat('0x', lower(hex(block_hash))) AS hash,
  arrayFirst(one -> one.2 = 'miner', arrayMap(id -> dictGet('label_of', ('entity', 'category'), ({chain:String}, id)), groupArray(concat('0x', lower(hex(toFixedString(substring(SHA256(o.address), 1, 20), 20))))))).1 AS payee
FROM (SELECT block_hash, vout, address FROM btc_outputs WHERE chain = {chain:String} AND block_number = {at:UInt64} AND tx_index = 0 AND address != '' ORDER BY value DESC, vout) AS o
GROUP BY block_hash
SETTINGS max_threads = 1
