-- Made transactions of Bitcoin: two outputs each, one to anybody, every second of them of a round amount, and one to a new address. Grain: one output. Parameters: from, count, first, per_block, addresses, seed.
INSERT INTO btc_outputs (chain, block_number, tx_index, vout, block_hash, txid, value, script_type, address, generation)
SELECT 'BTC', {first:UInt64} + intDiv(tx, {per_block:UInt64}) AS height, tx % {per_block:UInt64}, vout, toFixedString(unhex(leftPad(hex(height), 64, '0')), 32), toFixedString(unhex(leftPad(hex(tx + 1), 64, '0')), 32),
  if(vout = 0 AND tx % 2 = 0, (1 + sipHash64(tx, vout) % 20) * 1000000, 100000 + sipHash64(tx, vout) % 900000), 'witness_v0_keyhash', if(vout = 0, concat('bc1q', leftPad(toString(sipHash64(tx, {seed:UInt64}, 2) % {addresses:UInt64}), 38, '0')), concat('bc1qnew', leftPad(toString(tx), 35, '0'))), 0
FROM (SELECT {from:UInt64} + number AS tx, arrayJoin(range(toUInt32(2))) AS vout FROM numbers({count:UInt64}))
