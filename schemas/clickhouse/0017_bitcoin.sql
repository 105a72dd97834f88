-- Bitcoin as its blocks say it: transactions, outputs, inputs with what they spend. Amounts are satoshis, exact integers.
-- Hashes are in the order people write them (the reverse of the bytes on the wire). Addresses are text as Bitcoin writes it, '' where
-- a script pays to none. In tables that chains share, an address stands as its id: the first 20 bytes of SHA-256 of its text.
-- party: who holds an output: its address, or where a script has none (a bare key, a bare multisig) the word script and the SHA-256 of the script in hex, which
-- stands for the script as an address would; '' where it is not known, and of an output worth nothing that pays to no address.

-- Grain: one block, beside its row in blocks. coinbase_text: what the miner wrote, bytes of a stranger. fees is null while an input is unresolved.
CREATE TABLE IF NOT EXISTS btc_blocks (
  chain LowCardinality(String), block_number UInt64, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), version Int32, merkle_root FixedString(32),
  bits UInt32, nonce UInt32, size UInt32, weight UInt32, tx_count UInt32, input_count UInt32, output_count UInt32, unresolved_inputs UInt32,
  output_value UInt64, subsidy UInt64, fees Nullable(UInt64), coinbase_text String, miner LowCardinality(String), generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000;

-- Grain: one transaction. input_value and fee are null while an input is unresolved; a coinbase has no fee (null) and input_value 0.
CREATE TABLE IF NOT EXISTS btc_transactions (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  txid FixedString(32), version Int32, locktime UInt32, size UInt32, weight UInt32, coinbase Bool, input_count UInt32, output_count UInt32, unresolved_inputs UInt32,
  input_value Nullable(UInt64), output_value UInt64, fee Nullable(UInt64), generation UInt32,
  INDEX by_txid txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index)
SETTINGS non_replicated_deduplication_window = 10000;

-- Grain: one output. script_type: pubkey, pubkeyhash, scripthash, multisig, nulldata, witness_v0_keyhash, witness_v0_scripthash,
-- witness_v1_taproot, witness_unknown, anchor, nonstandard. data: what an OP_RETURN carries (the pushed
-- bytes, or where it is not one push all that follows, opcodes too), bytes of a stranger. Prevouts are read here one by one: granules are small.
CREATE TABLE IF NOT EXISTS btc_outputs (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, vout UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  txid FixedString(32), value UInt64, script_type LowCardinality(String), address String, script String, data String, generation UInt32,
  script_id String DEFAULT if(address = '' AND value > 0, lower(hex(SHA256(script))), ''), party String ALIAS if(script_id = '', address, concat('script', script_id)),
  INDEX by_txid txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index, vout)
SETTINGS index_granularity = 512, non_replicated_deduplication_window = 10000;

-- Grain: one input. prevout: 'node' (the node said what it spends), 'own' (found among our outputs), 'unresolved' (value is null, address '',
-- nothing is guessed), 'coinbase' (value 0). prev_block is known of 'own' only: not every form of a node's answer tells it.
CREATE TABLE IF NOT EXISTS btc_inputs (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, vin UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  txid FixedString(32), prev_txid FixedString(32), prev_vout UInt32, prev_block Nullable(UInt64), prevout Enum8('node' = 1, 'own' = 2, 'unresolved' = 3, 'coinbase' = 4),
  value Nullable(UInt64), script_type LowCardinality(String), address String, sequence UInt32, generation UInt32,
  script_id String DEFAULT '', party String ALIAS if(script_id = '', address, concat('script', script_id)),
  INDEX by_prev prev_txid TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index, vin)
SETTINGS non_replicated_deduplication_window = 10000;

-- The text of an address behind its id, or of a script without one (party). Grain: one address. It holds whatever became of the block it was seen in.
CREATE TABLE IF NOT EXISTS btc_addresses (
  id FixedString(20), address String, script_type LowCardinality(String)
) ENGINE = ReplacingMergeTree ORDER BY id
SETTINGS non_replicated_deduplication_window = 10000;

-- Where a transaction is. Grain: one transaction of one block, by the first 8 bytes of its txid: the full one is compared where it is read.
CREATE TABLE IF NOT EXISTS btc_txids (
  chain LowCardinality(String), prefix UInt64, block_number UInt64, tx_index UInt32, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, prefix, block_number, tx_index)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000;

-- What was read of blocks, transactions and inputs before it is known what the inputs spend: normalize reads batches in any order, enrich
-- resolves them in the order of blocks. Used up by then; they go when the answers they were read from go.
CREATE TABLE IF NOT EXISTS btc_read_blocks (
  chain LowCardinality(String), block_number UInt64, block_hash FixedString(32), block_time DateTime64(3, 'UTC'), version Int32, merkle_root FixedString(32),
  bits UInt32, nonce UInt32, size UInt32, weight UInt32, tx_count UInt32, input_count UInt32, output_count UInt32, output_value UInt64, subsidy UInt64, coinbase_text String,
  generation UInt32, read_at DateTime DEFAULT now()
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number) TTL read_at + INTERVAL 30 DAY
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE TABLE IF NOT EXISTS btc_read_transactions (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC'), txid FixedString(32), version Int32, locktime UInt32,
  size UInt32, weight UInt32, input_count UInt32, output_count UInt32, output_value UInt64, generation UInt32, read_at DateTime DEFAULT now()
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index) TTL read_at + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- Only inputs of which the node did not say what they spend; the others are in btc_inputs at once.
CREATE TABLE IF NOT EXISTS btc_read_inputs (
  chain LowCardinality(String), block_number UInt64, tx_index UInt32, vin UInt32, block_hash FixedString(32), block_time DateTime64(3, 'UTC'), txid FixedString(32),
  prev_txid FixedString(32), prev_vout UInt32, sequence UInt32, generation UInt32, read_at DateTime DEFAULT now()
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 100000)) ORDER BY (chain, block_number, tx_index, vin) TTL read_at + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- How blocks become rows: what was read of one, from bytes or from JSON, passes through btc_answers and btc_sides, which keep nothing; the
-- views below cut it. One insert is one block of rows, so its token makes a repeat land only in those tables that have not had it.
-- Grain: one block. sides: its outputs and inputs. address: of a witness program, as the node or the decoder wrote it, '' where neither did.
-- kind: of a script that length and fixed bytes do not tell. p2pkh, p2sh, hrp: how the network writes addresses. halving: blocks after which the subsidy halves.
CREATE TABLE IF NOT EXISTS btc_answers (
  chain LowCardinality(String), generation UInt32, p2pkh UInt8, p2sh UInt8, hrp String, halving UInt32, block_number UInt64, block_hash FixedString(32), parent_hash FixedString(32),
  version Int32, merkle_root FixedString(32), time UInt32, bits UInt32, nonce UInt32, size UInt32, weight UInt32, coinbase_text String,
  transactions Array(Tuple(txid FixedString(32), version Int32, locktime UInt32, size UInt32, weight UInt32, input_count UInt32, output_count UInt32, output_value UInt64)),
  sides Array(Tuple(tx_index UInt32, place UInt32, side Enum8('output' = 1, 'spent' = 2, 'unknown' = 3, 'coinbase' = 4), txid FixedString(32), value UInt64, script String, address String, kind Enum8('other' = 0, 'nulldata' = 1, 'multisig' = 2),
    prev_txid FixedString(32), prev_vout UInt32, sequence UInt32)),
  block_time DateTime64(3, 'UTC') ALIAS toDateTime64(time, 3, 'UTC')
) ENGINE = Null;

-- Grain: one output or input with its script named and its address written.
CREATE TABLE IF NOT EXISTS btc_sides (
  chain LowCardinality(String), generation UInt32, block_number UInt64, block_hash FixedString(32), block_time DateTime64(3, 'UTC'), tx_index UInt32, place UInt32,
  side Enum8('output' = 1, 'spent' = 2, 'unknown' = 3, 'coinbase' = 4), txid FixedString(32), value UInt64, script String, script_type LowCardinality(String), address String,
  prev_txid FixedString(32), prev_vout UInt32, sequence UInt32
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_answers_blocks TO blocks AS
SELECT chain, block_number, block_hash, parent_hash, block_time, toFixedString('', 20) AS miner, toUInt64(0) AS gas_used, toUInt64(0) AS gas_limit, toUInt256(0) AS difficulty,
  toUInt64(size) AS size, '' AS extra_data, toUInt32(length(transactions.txid)) AS tx_count, toUInt32(0) AS log_count, toUInt32(0) AS withdrawal_count, true AS internal_complete, generation
FROM btc_answers;

-- The subsidy is 50 coins, halved (rounded down) after every so many blocks.
CREATE MATERIALIZED VIEW IF NOT EXISTS btc_answers_read_blocks TO btc_read_blocks AS
SELECT chain, block_number, block_hash, block_time, version, merkle_root, bits, nonce, size, weight, toUInt32(length(transactions.txid)) AS tx_count,
  toUInt32(arraySum(transactions.input_count)) AS input_count, toUInt32(arraySum(transactions.output_count)) AS output_count, arraySum(transactions.output_value) AS output_value,
  if(intDiv(block_number, halving) < 64, bitShiftRight(toUInt64(5000000000), intDiv(block_number, halving)), 0) AS subsidy, coinbase_text, generation
FROM btc_answers;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_answers_read_transactions TO btc_read_transactions AS
SELECT chain, block_number, toUInt32(nth - 1) AS tx_index, block_hash, block_time, tx.txid AS txid, tx.version AS version, tx.locktime AS locktime, tx.size AS size, tx.weight AS weight,
  tx.input_count AS input_count, tx.output_count AS output_count, tx.output_value AS output_value, generation
FROM (SELECT chain, block_number, block_hash, block_time, generation, transactions FROM btc_answers)
ARRAY JOIN transactions AS tx, arrayEnumerate(transactions) AS nth;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_answers_txids TO btc_txids AS
SELECT chain, reinterpretAsUInt64(txid) AS prefix, block_number, toUInt32(nth - 1) AS tx_index, generation
FROM (SELECT chain, block_number, generation, transactions.txid AS txids FROM btc_answers)
ARRAY JOIN txids AS txid, arrayEnumerate(txids) AS nth;

-- Bitcoin Core's own rules, by the bytes of a script. Pay to a public key has no address, as in Bitcoin Core: the address of a key's hash
-- is another script. Bare multisig has none either.
CREATE MATERIALIZED VIEW IF NOT EXISTS btc_answers_sides TO btc_sides AS
SELECT chain, generation, block_number, block_hash, block_time, s.tx_index AS tx_index, s.place AS place, s.side AS side, s.txid AS txid, s.value AS value, s.script AS script,
  s.prev_txid AS prev_txid, s.prev_vout AS prev_vout, s.sequence AS sequence, named AS script_type,
  multiIf(
    named = 'pubkeyhash', base58Encode(concat(char(p2pkh), substring(script, 4, 20), substring(SHA256(SHA256(concat(char(p2pkh), substring(script, 4, 20)))), 1, 4))),
    named = 'scripthash', base58Encode(concat(char(p2sh), substring(script, 3, 20), substring(SHA256(SHA256(concat(char(p2sh), substring(script, 3, 20)))), 1, 4))),
    s.address != '' OR NOT (startsWith(named, 'witness') OR named = 'anchor'), s.address,
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

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_sides_outputs TO btc_outputs AS
SELECT chain, block_number, tx_index, place AS vout, block_hash, block_time, txid, value, script_type, address, script,
  multiIf(script_type != 'nulldata', '',
    length(script) = 2 + reinterpretAsUInt8(substring(script, 2, 1)) AND length(script) < 78, substring(script, 3),
    substring(script, 2, 1) = char(76) AND length(script) = 3 + reinterpretAsUInt8(substring(script, 3, 1)), substring(script, 4),
    substring(script, 2, 1) = char(77) AND length(script) = 4 + reinterpretAsUInt16(substring(script, 3, 2)), substring(script, 5),
    substring(script, 2, 1) = char(78) AND length(script) = 6 + reinterpretAsUInt32(substring(script, 3, 4)), substring(script, 7),
    substring(script, 2)) AS data, generation
FROM btc_sides WHERE side = 'output';

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_sides_inputs TO btc_inputs AS
SELECT chain, block_number, tx_index, place AS vin, block_hash, block_time, txid, prev_txid, prev_vout, CAST(NULL AS Nullable(UInt64)) AS prev_block,
  if(side = 'spent', 'node', 'coinbase') AS prevout, toNullable(value) AS value, script_type, address, sequence, generation,
  if(side = 'spent' AND address = '' AND value > 0, lower(hex(SHA256(script))), '') AS script_id
FROM btc_sides WHERE side IN ('spent', 'coinbase');

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_sides_read_inputs TO btc_read_inputs AS
SELECT chain, block_number, tx_index, place AS vin, block_hash, block_time, txid, prev_txid, prev_vout, sequence, generation
FROM btc_sides WHERE side = 'unknown';

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_sides_addresses TO btc_addresses AS
SELECT DISTINCT toFixedString(substring(SHA256(party), 1, 20), 20) AS id, party AS address, script_type
FROM (SELECT script_type, if(address = '', concat('script', lower(hex(SHA256(script)))), address) AS party FROM btc_sides WHERE address != '' OR (value > 0 AND side IN ('output', 'spent')));
