-- Blocks with their fees and who mined them. Grain: one block. Parameters: chain, from, to, generation, tags and miners (side by side: a text
-- that a miner signs its coinbase with, and its name; the first tag found counts).
-- Sort keys: btc_read_blocks (chain, block_number), btc_transactions (chain, block_number, tx_index).
INSERT INTO btc_blocks (chain, block_number, block_hash, block_time, version, merkle_root, bits, nonce, size, weight, tx_count, input_count, output_count, unresolved_inputs,
  output_value, subsidy, fees, coinbase_text, miner, generation)
SELECT {chain:String}, b.block_number, b.block_hash, b.block_time, b.version, b.merkle_root, b.bits, b.nonce, b.size, b.weight, b.tx_count, b.input_count, b.output_count, t.unresolved,
  b.output_value, b.subsidy, if(t.unresolved > 0, NULL, t.fees), b.coinbase_text, arrayElement({miners:Array(String)}, multiSearchFirstIndex(b.coinbase_text, {tags:Array(String)})), {generation:UInt32}
FROM (
  SELECT * FROM btc_read_blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS b
INNER JOIN (
  SELECT block_number, toUInt32(sum(unresolved_inputs)) AS unresolved, sum(ifNull(fee, 0)) AS fees FROM btc_transactions
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  GROUP BY block_number
) AS t ON t.block_number = b.block_number
ORDER BY b.block_number
SETTINGS max_threads = 1
