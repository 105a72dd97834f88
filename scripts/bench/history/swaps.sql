-- Swaps of a made history: pools, tokens and sizes as recorded, traders by Zipf's law (rank = addresses ^ uniform).
-- Grain: one swap. Parameters: first (height), start (Unix seconds of it), from and count (swaps), per_block, addresses, mix (rows of bench_swap_mix), seed.
-- Every value is a hash of seed and number. Sort key: bench_swap_mix (place).
INSERT INTO swaps
SELECT 'ETH', d.block_number, d.position, d.block_hash, fromUnixTimestamp64Milli(toInt64(d.time) * 1000, 'UTC'), d.position, d.tx_hash, m.protocol, m.aggregator, m.pool, m.trusted, d.trader, d.trader, d.trader,
  m.token_sold, m.token_sold_known, m.token_sold_symbol, m.token_sold_decimals, intDiv(m.amount_sold * toUInt256(d.size), 500),
  m.token_bought, m.token_bought_known, m.token_bought_symbol, m.token_bought_decimals, intDiv(m.amount_bought * toUInt256(d.size), 500), m.value_usd * d.size / 500, m.price_method, m.price_side, 0
FROM (
  SELECT {first:UInt64} + intDiv(number, {per_block:UInt64}) AS block_number, toUInt32(number % {per_block:UInt64}) AS position, {start:UInt64} + 12 * intDiv(number, {per_block:UInt64}) AS time,
    toFixedString(concat(reinterpretAsString(sipHash128(block_number)), repeat(unhex('b1'), 16)), 32) AS block_hash,
    toFixedString(concat(reinterpretAsString(sipHash128(block_number, position)), reinterpretAsString(sipHash128(block_number, position, 1))), 32) AS tx_hash,
    toUInt64(floor(pow({addresses:UInt64}, sipHash64({seed:UInt64}, 5, number) / 18446744073709551616.))) AS trader_rank,
    toFixedString(substring(concat(reinterpretAsString(sipHash128({seed:UInt64}, trader_rank)), reinterpretAsString(sipHash64({seed:UInt64}, trader_rank))), 1, 20), 20) AS trader,
    sipHash64({seed:UInt64}, 6, number) % {mix:UInt64} AS like_this, 1 + sipHash64({seed:UInt64}, 7, number) % 1000 AS size
  FROM numbers({from:UInt64}, {count:UInt64})
) AS d
INNER JOIN bench_swap_mix AS m ON m.place = d.like_this
