-- What only a block of Bitcoin has; amounts in satoshis, fees null while an input is unresolved. miner: as its coinbase signs, '' where it does not.
-- Grain: one block. Parameters: chain, at. Sort key: btc_blocks (chain, block_number).
SELECT concat('0x', lower(hex(block_hash))) AS hash, version, lower(hex(merkle_root)) AS merkle_root, bits, nonce, weight, input_count, output_count, unresolved_inputs,
  output_value, subsidy, fees, lower(hex(coinbase_text)) AS coinbase_text, miner
FROM btc_blocks WHERE chain = {chain:String} AND block_number = {at:UInt64}
SETTINGS max_threads = 1
