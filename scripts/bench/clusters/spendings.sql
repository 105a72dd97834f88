-- Made transactions of Bitcoin: inputs. Grain: one input. Parameters: from and count (transactions), first (height), per_block, addresses, seed.
-- A transaction spends from one wallet: a stretch of 2 to 1024 neighbouring addresses of the one it draws, small ones more often. Half have one
-- input, a quarter two, the rest three, five and twenty.
INSERT INTO btc_inputs (chain, block_number, tx_index, vin, block_hash, txid, prev_txid, prev_vout, prev_block, prevout, value, script_type, address, sequence, generation)
SELECT 'BTC', {first:UInt64} + intDiv(tx, {per_block:UInt64}) AS height, tx % {per_block:UInt64}, vin, toFixedString(unhex(leftPad(hex(height), 64, '0')), 32), toFixedString(unhex(leftPad(hex(tx + 1), 64, '0')), 32),
  toFixedString('', 32), vin, height - 1, 'own', 1000000 + sipHash64(tx, vin) % 100000000, 'witness_v0_keyhash',
  concat('bc1q', leftPad(toString(wallet * stretch + sipHash64(tx, vin, {seed:UInt64}) % stretch), 38, '0')), 4294967293, 0
FROM (
  SELECT {from:UInt64} + number AS tx, sipHash64(tx, {seed:UInt64}) AS luck, bitShiftLeft(toUInt64(1), 1 + least(toUInt8(9), toUInt8(countSubstrings(bin(luck % 512), '11')) + luck % 3)) AS stretch,
    intDiv(sipHash64(tx, {seed:UInt64}, 1) % {addresses:UInt64}, stretch) AS wallet,
    arrayJoin(range(toUInt32(multiIf(luck % 100 < 50, 1, luck % 100 < 75, 2, luck % 100 < 90, 3, luck % 100 < 97, 5, 20)))) AS vin
  FROM numbers({count:UInt64})
)
