-- Scripts of Bitcoin, seen by newer rules.

-- Rules 3 of clusters (clusterRules) let a script without an address be change as well: up to the first block that pays such a script they say what rules 2 said. A coinbase has no change.
ALTER TABLE btc_cluster_blocks UPDATE rules = 3 WHERE rules = 2 AND block_number < ifNull(
  (SELECT minOrNull(block_number) FROM btc_outputs WHERE tx_index > 0 AND script_type IN ('pubkey', 'multisig', 'nonstandard')), 18446744073709551615)
SETTINGS mutations_sync = 1;

-- As in 0017_bitcoin.sql, but that the address of a witness program of version 1 and later is worked out whatever JSON says: nodes of before BIP 350 write it in bech32, which is another text
-- and so another party than what bytes of the same block give. What a node wrote before stays until its blocks are replayed.
ALTER TABLE btc_answers_sides MODIFY QUERY
SELECT chain, generation, block_number, block_hash, block_time, s.tx_index AS tx_index, s.place AS place, s.side AS side, s.txid AS txid, s.value AS value, s.script AS script,
  s.prev_txid AS prev_txid, s.prev_vout AS prev_vout, s.sequence AS sequence, named AS script_type,
  multiIf(
    named = 'pubkeyhash', base58Encode(concat(char(p2pkh), substring(script, 4, 20), substring(SHA256(SHA256(concat(char(p2pkh), substring(script, 4, 20)))), 1, 4))),
    named = 'scripthash', base58Encode(concat(char(p2sh), substring(script, 3, 20), substring(SHA256(SHA256(concat(char(p2sh), substring(script, 3, 20)))), 1, 4))),
    NOT (startsWith(named, 'witness') OR named = 'anchor') OR (first = 0 AND s.address != ''), s.address,
    -- BIP 173 and 350: version and program in groups of five bits, and a checksum over them and the prefix.
    arrayMap(program -> arrayMap(fives -> arrayMap(checksum -> concat(hrp, '1', arrayStringConcat(arrayMap(value -> substring('qpzry9x8gf2tvdw0s3jn54khce6mua7l', value + 1, 1),
        arrayConcat(fives, arrayMap(place -> bitAnd(bitShiftRight(checksum, 25 - 5 * place), 31), range(6)))))),
      [bitXor(arrayFold((sum, value) -> toUInt32(bitXor(bitXor(bitShiftLeft(bitAnd(sum, 33554431), 5), value), [0,996825010,642813549,490396127,513874426,634080840,955357079,60538917,1027748829,103310447,454213040,544795138,602090023,411663765,95659082,1054471160,705979059,293483777,205843678,925809516,884308809,266284283,317060388,697279126,391532910,742131420,822533891,174885041,167200916,849157926,799524601,349016395][bitShiftRight(sum, 25) + 1])),
        arrayConcat(arrayMap(place -> toUInt32(bitShiftRight(ascii(substring(hrp, place, 1)), 5)), range(1, length(hrp) + 1)), [0], arrayMap(place -> toUInt32(bitAnd(ascii(substring(hrp, place, 1)), 31)), range(1, length(hrp) + 1)),
          fives, [0, 0, 0, 0, 0, 0]), toUInt32(1)), if(first = 0, 1, 734539939))])[1],
      [arrayConcat([toUInt32(if(first = 0, 0, first - 80))], arrayMap(five -> toUInt32(bitAnd(bitShiftRight(reinterpretAsUInt16(reverse(substring(concat(program, '\0\0'), 1 + intDiv(five * 5, 8), 2))), 11 - (five * 5) % 8), 31)),
        range(intDiv(length(program) * 8 + 4, 5))))])[1],
      [substring(script, 3)])[1]) AS address
FROM (
  SELECT chain, generation, p2pkh, p2sh, hrp, block_number, block_hash, block_time, s, s.script AS bytes, length(bytes) AS size,
    reinterpretAsUInt8(substring(bytes, 1, 1)) AS first, reinterpretAsUInt8(substring(bytes, 2, 1)) AS second,
    multiIf(
      size = 25 AND startsWith(bytes, unhex('76a914')) AND endsWith(bytes, unhex('88ac')), 'pubkeyhash',
      size = 23 AND startsWith(bytes, unhex('a914')) AND endsWith(bytes, unhex('87')), 'scripthash',
      size BETWEEN 4 AND 42 AND second = size - 2 AND (first = 0 OR first BETWEEN 81 AND 96), multiIf(
        size = 22 AND first = 0, 'witness_v0_keyhash', size = 34 AND first = 0, 'witness_v0_scripthash', first = 0, 'nonstandard',
        size = 34 AND first = 81, 'witness_v1_taproot', bytes = unhex('51024e73'), 'anchor', 'witness_unknown'),
      s.kind != 'other', toString(s.kind),
      endsWith(bytes, unhex('ac')) AND ((size = 35 AND first = 33 AND second IN (2, 3)) OR (size = 67 AND first = 65 AND second IN (4, 6, 7))), 'pubkey',
      s.side IN ('unknown', 'coinbase'), '', 'nonstandard') AS named
  FROM (SELECT chain, generation, p2pkh, p2sh, hrp, block_number, block_hash, block_time, sides FROM btc_answers)
  ARRAY JOIN sides AS s
);
