-- What only a block of Bitcoin has and its transactions do not tell; amounts in satoshis. miner: as its coinbase signs, '' where it does not: of a block that enrich has not come to by the same register (tags and miners, side by side) as it goes by.
-- difficulty: how many times harder than the target of block 0 (65535 × 2^208) the one is that bits stand for, rounded down; null: they stand for none.
-- Grain: one block. Parameters: chain, at, tags, miners. Sort keys: btc_blocks, and btc_read_blocks for what enrich has not come to (chain, block_number).
WITH bitShiftRight(bits, 24) AS bytes, bitShiftRight(bitShiftLeft(toUInt256(bitAnd(bits, 8388607)), toUInt8(8 * (least(greatest(bytes, 3), 32) - 3))), toUInt8(8 * (3 - least(bytes, 3)))) AS target
SELECT concat('0x', lower(hex(block_hash))) AS hash, version, lower(hex(merkle_root)) AS merkle_root, bits, nonce, weight, input_count, output_count,
  output_value, subsidy, lower(hex(coinbase_text)) AS coinbase_text, miner,
  if(target = 0 OR bytes > 32 OR bitAnd(bits, 8388608) > 0, NULL, toNullable(toString(intDiv(bitShiftLeft(toUInt256(65535), 208), greatest(target, 1))))) AS difficulty
FROM (
  SELECT block_hash, version, merkle_root, bits, nonce, weight, input_count, output_count, output_value, subsidy, coinbase_text, miner, true AS stands
  FROM btc_blocks WHERE chain = {chain:String} AND block_number = {at:UInt64}
  UNION ALL
  SELECT block_hash, version, merkle_root, bits, nonce, weight, input_count, output_count, output_value, subsidy, coinbase_text, arrayElement({miners:Array(String)}, multiSearchFirstIndex(coinbase_text, {tags:Array(String)})), false
  FROM btc_read_blocks WHERE chain = {chain:String} AND block_number = {at:UInt64}
)
ORDER BY stands DESC
LIMIT 1 BY hash
SETTINGS max_threads = 1
