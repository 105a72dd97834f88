-- How many transactions of a block of Bitcoin stand as flows, and of how many senders and receivers. Grain: one block. Parameters: chain, at. Sort key: btc_flows (chain, block_number).
SELECT concat('0x', lower(hex(block_hash))) AS hash, toFloat64(count()) AS rows, toFloat64(uniqExactIf(from_address, from_address != toFixedString('', 20))) AS senders,
  toFloat64(uniqExactIf(to_address, to_address != toFixedString('', 20))) AS receivers
FROM btc_flows WHERE chain = {chain:String} AND block_number = {at:UInt64} GROUP BY block_hash
SETTINGS max_threads = 1
