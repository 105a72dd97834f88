-- Headers of a made history. Grain: one block. Parameters: first (height), start (Unix seconds of it), count, per_block (movements of each).
INSERT INTO blocks
SELECT 'ETH', {first:UInt64} + number AS height, toFixedString(concat(reinterpretAsString(sipHash128(height)), repeat(unhex('b1'), 16)), 32), toFixedString(concat(reinterpretAsString(sipHash128(height - 1)), repeat(unhex('b1'), 16)), 32),
  fromUnixTimestamp64Milli(toInt64({start:UInt64} + 12 * number) * 1000, 'UTC'), toFixedString(unhex(repeat('aa', 20)), 20), 15000000, 30000000, 7000000000, 0, 90000, '', toUInt32({per_block:UInt64} / 2), toUInt32({per_block:UInt64} * 2), 0, NULL, NULL, true, 0
FROM numbers({count:UInt64})
