-- Movements of a made history: kinds, tokens and sizes as recorded, addresses by Zipf's law (rank = addresses ^ uniform), the busiest ones labelled.
-- Grain: one movement. Parameters: first (height), start (Unix seconds of it), from and count (movements), per_block, addresses, mix (rows of bench_mix), seed.
-- Every value is a hash of seed and number: the same parameters give the same rows. Sort keys: bench_mix (place), bench_named (rank).
INSERT INTO transfers
SELECT 'ETH', d.block_number, m.kind, d.position, 0, d.block_hash, fromUnixTimestamp64Milli(toInt64(d.time) * 1000, 'UTC'), intDiv(d.position, 2), d.tx_hash,
  m.token, m.symbol, m.decimals, if(s.rank > 0, s.address, d.sender), if(r.rank > 0, r.address, d.receiver),
  intDiv(m.amount * toUInt256(d.size), 500), 0, m.value_usd * d.size / 500, m.price_method, s.label, s.entity, if(s.class = '', 'unknown', s.class), r.label, r.entity, if(r.class = '', 'unknown', r.class), 0
FROM (
  SELECT {first:UInt64} + intDiv(number, {per_block:UInt64}) AS block_number, toUInt32(number % {per_block:UInt64}) AS position, {start:UInt64} + 12 * intDiv(number, {per_block:UInt64}) AS time,
    toFixedString(concat(reinterpretAsString(sipHash128(block_number)), repeat(unhex('b1'), 16)), 32) AS block_hash,
    toFixedString(concat(reinterpretAsString(sipHash128(block_number, intDiv(position, 2))), reinterpretAsString(sipHash128(block_number, intDiv(position, 2), 1))), 32) AS tx_hash,
    toUInt64(floor(pow({addresses:UInt64}, sipHash64({seed:UInt64}, 1, number) / 18446744073709551616.))) AS sender_rank, toUInt64(floor(pow({addresses:UInt64}, sipHash64({seed:UInt64}, 2, number) / 18446744073709551616.))) AS receiver_rank,
    toFixedString(substring(concat(reinterpretAsString(sipHash128({seed:UInt64}, sender_rank)), reinterpretAsString(sipHash64({seed:UInt64}, sender_rank))), 1, 20), 20) AS sender, toFixedString(substring(concat(reinterpretAsString(sipHash128({seed:UInt64}, receiver_rank)), reinterpretAsString(sipHash64({seed:UInt64}, receiver_rank))), 1, 20), 20) AS receiver,
    sipHash64({seed:UInt64}, 3, number) % {mix:UInt64} AS like_this, 1 + sipHash64({seed:UInt64}, 4, number) % 1000 AS size
  FROM numbers({from:UInt64}, {count:UInt64})
) AS d
INNER JOIN bench_mix AS m ON m.place = d.like_this
LEFT JOIN bench_named AS s ON s.rank = d.sender_rank
LEFT JOIN bench_named AS r ON r.rank = d.receiver_rank
