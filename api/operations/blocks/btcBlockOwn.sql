-- What only a block of Bitcoin has and its transactions do not tell; amounts in satoshis. miner: as its coinbase signs, '' where it does not: of what was read of a block by the register of this version (tags and miners, side by side), of what stands by that of the version that enriched it.
-- difficulty: how many times harder than the target of block 0 (65535 × 2^208) the one is that bits stand for, rounded down; null: they stand for none.
-- Two statements: of what was read, which is there before enrich has come to the block and goes after a while, and of what stands. In one, planning took twice as long as both.
-- Grain: one block. Parameters: chain, at, and for what was read tags and miners. Sort keys: btc_read_blocks and btc_blocks (chain, block_number).
WITH bitShiftRight(bits, 24) AS bytes, bitShiftRight(bitShiftLeft(toUInt256(bitAnd(bits, 8388607)), toUInt8(8 * (least(greatest(bytes, 3), 32) - 3))), toUInt8(8 * (3 - least(bytes, 3)))) AS target
SELECT concat('0x', lower(hex(block_hash))) AS hash, version, lower(hex(merkle_root)) AS merkle_root, bits, nonce, weight, input_count, output_count,
  output_value, subsidy, lower(hex(coinbase_text)) AS coinbase_text,
  arrayElement({miners:Array(String)}, multiSearchFirstIndex(b.coinbase_text, {tags:Array(String)})) AS miner, -- of what was read
  miner, -- of what stands
  if(target = 0 OR bytes > 32 OR bitAnd(bits, 8388608) > 0, NULL, toNullable(toString(intDiv(bitShiftLeft(toUInt256(65535), 208), greatest(target, 1))))) AS difficulty
FROM btc_read_blocks AS b -- of what was read
FROM btc_blocks AS b -- of what stands
WHERE b.chain = {chain:String} AND b.block_number = {at:UInt64}
LIMIT 1 BY hash
SETTINGS max_threads = 1
