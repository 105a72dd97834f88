-- A made history of Bitcoin in the order of addresses: outputs `from` and on, of which seven in ten were spent 100 blocks later. Addresses are
-- drawn with a few that have very many; the text of one in 64 is an address of Bitcoin, so that it can be asked about.
-- Grain: two rows for an output that was spent, one for one that was not. Parameters: from, count, first (height), per_block, addresses. Nothing is read.
INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation)
WITH (k -> concat(char(5), substring(SHA256(concat('made', toString(k))), 1, 20))) AS script, (k -> base58Encode(concat(script(k), substring(SHA256(SHA256(script(k))), 1, 4)))) AS address_text,
  (k -> if(k % 64 = 0, address_text(k), concat('made', toString(k)))) AS made
SELECT 'BTC', toFixedString(substring(SHA256(made(owner)), 1, 20), 20), {first:UInt64} + intDiv(n, {per_block:UInt64}) + if(spent, 100, 0), 'utxo', toUInt32(intDiv(n % {per_block:UInt64}, 3)), toUInt32(n % 3),
  if(spent, 'out', 'in'), toDateTime64(1500000000 + 600 * intDiv(n, {per_block:UInt64}) + if(spent, 60000, 0), 3, 'UTC'), toFixedString(SHA256(concat('tx', toString(intDiv(n, 3)), if(spent, 's', ''))), 32), toFixedString('', 20),
  toFixedString(substring(SHA256(made(cityHash64(n, 3) % {addresses:UInt64})), 1, 20), 20), toUInt256(546 + cityHash64(n, 2) % 1000000000), 0, toFloat64(cityHash64(n, 2) % 1000000000) / 1e8 * 50000, 0
FROM (
  SELECT number + {from:UInt64} AS n, toUInt64({addresses:UInt64} * pow((cityHash64(n, 1) % 4294967296) / 4294967296, 4)) AS owner, arrayJoin(if(cityHash64(n, 4) % 10 < 7, [false, true], [false])) AS spent
  FROM numbers({count:UInt64})
)
