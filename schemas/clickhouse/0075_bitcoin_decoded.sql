-- A block of Bitcoin out of its bytes: the decoder has walked through every script, so it names them too, and none is looked at again. What JSON says passes through btc_answers as before
-- (0017_bitcoin.sql), as does what a worker of the version before decodes: planning how to name scripts and write witness programs was a fifth of what a block at the tip cost here.
-- Nor does anybody read rows of Bitcoin in movements from now on: transfers has the same. Those of versions before stay, for a worker of one may still read its own; where none runs any more, ALTER TABLE movements DELETE WHERE chain = 'BTC' gives their room back.
-- btc_decoded keeps nothing; the views below cut it, and btc_sides goes on from there. One insert is one block of rows, so its token makes a repeat land only in those tables that have not had it.
-- Grain: one block. sides: its outputs and inputs. address: of a witness program, as people write it; of a key's or a script's hash the 21 bytes that its address is the base58 of, without their checksum; else ''.
-- script_type: '' of an input of which it is not known. brought: what the inputs of each transaction bring, 0 of a coinbase, null where that is not known of one of them.
-- halving: blocks after which the subsidy halves.
CREATE TABLE IF NOT EXISTS btc_decoded (
  chain LowCardinality(String), generation UInt32, halving UInt32, block_number UInt64, block_hash FixedString(32), parent_hash FixedString(32),
  version Int32, merkle_root FixedString(32), time UInt32, bits UInt32, nonce UInt32, size UInt32, weight UInt32, coinbase_text String,
  transactions Array(Tuple(txid FixedString(32), version Int32, locktime UInt32, size UInt32, weight UInt32, input_count UInt32, output_count UInt32, output_value UInt64)), brought Array(Nullable(UInt64)),
  sides Array(Tuple(tx_index UInt32, place UInt32, side Enum8('output' = 1, 'spent' = 2, 'unknown' = 3, 'coinbase' = 4), txid FixedString(32), value UInt64, script String,
    script_type Enum8('' = 0, 'nonstandard' = 1, 'pubkey' = 2, 'pubkeyhash' = 3, 'scripthash' = 4, 'multisig' = 5, 'nulldata' = 6, 'witness_v0_keyhash' = 7, 'witness_v0_scripthash' = 8,
      'witness_v1_taproot' = 9, 'witness_unknown' = 10, 'anchor' = 11), address String,
    prev_txid FixedString(32), prev_vout UInt32, sequence UInt32)),
  block_time DateTime64(3, 'UTC') ALIAS toDateTime64(time, 3, 'UTC')
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_decoded_blocks TO blocks AS
SELECT chain, block_number, block_hash, parent_hash, block_time, toFixedString('', 20) AS miner, toUInt64(0) AS gas_used, toUInt64(0) AS gas_limit, toUInt256(0) AS difficulty,
  toUInt64(size) AS size, '' AS extra_data, toUInt32(length(transactions.txid)) AS tx_count, toUInt32(0) AS log_count, toUInt32(0) AS withdrawal_count, true AS internal_complete, generation
FROM btc_decoded;

-- The subsidy is 50 coins, halved (rounded down) after every so many blocks.
CREATE MATERIALIZED VIEW IF NOT EXISTS btc_decoded_read_blocks TO btc_read_blocks AS
SELECT chain, block_number, block_hash, block_time, version, merkle_root, bits, nonce, size, weight, toUInt32(length(transactions.txid)) AS tx_count,
  toUInt32(arraySum(transactions.input_count)) AS input_count, toUInt32(arraySum(transactions.output_count)) AS output_count, arraySum(transactions.output_value) AS output_value,
  if(intDiv(block_number, halving) < 64, bitShiftRight(toUInt64(5000000000), intDiv(block_number, halving)), 0) AS subsidy, coinbase_text, generation
FROM btc_decoded;

-- Whole where all is known that its inputs bring (0070_bitcoin_known_inputs.sql).
CREATE MATERIALIZED VIEW IF NOT EXISTS btc_decoded_transactions TO btc_transactions AS
SELECT chain, block_number, toUInt32(nth - 1) AS tx_index, block_hash, block_time, tx.txid AS txid, tx.version AS version, tx.locktime AS locktime, tx.size AS size, tx.weight AS weight,
  nth = 1 AS coinbase, tx.input_count AS input_count, tx.output_count AS output_count, toUInt32(0) AS unresolved_inputs,
  input_value, tx.output_value AS output_value, if(nth = 1 OR input_value < tx.output_value, NULL, input_value - tx.output_value) AS fee, generation
FROM (SELECT chain, block_number, block_hash, block_time, generation, transactions, brought FROM btc_decoded)
ARRAY JOIN transactions AS tx, arrayEnumerate(transactions) AS nth, brought AS input_value
WHERE input_value IS NOT NULL;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_decoded_read_transactions TO btc_read_transactions AS
SELECT chain, block_number, toUInt32(nth - 1) AS tx_index, block_hash, block_time, tx.txid AS txid, tx.version AS version, tx.locktime AS locktime, tx.size AS size, tx.weight AS weight,
  tx.input_count AS input_count, tx.output_count AS output_count, tx.output_value AS output_value, generation
FROM (SELECT chain, block_number, block_hash, block_time, generation, transactions, brought FROM btc_decoded)
ARRAY JOIN transactions AS tx, arrayEnumerate(transactions) AS nth, brought AS input_value
WHERE input_value IS NULL;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_decoded_txids TO btc_txids AS
SELECT chain, reinterpretAsUInt64(txid) AS prefix, block_number, toUInt32(nth - 1) AS tx_index, generation
FROM (SELECT chain, block_number, generation, transactions.txid AS txids FROM btc_decoded)
ARRAY JOIN txids AS txid, arrayEnumerate(txids) AS nth;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_decoded_sides TO btc_sides AS
SELECT chain, generation, block_number, block_hash, block_time, s.tx_index AS tx_index, s.place AS place, s.side AS side, s.txid AS txid, s.value AS value, s.script AS script, toString(s.script_type) AS script_type,
  if(s.script_type IN ('pubkeyhash', 'scripthash'), base58Encode(concat(s.address, substring(SHA256(SHA256(s.address)), 1, 4))), s.address) AS address,
  s.prev_txid AS prev_txid, s.prev_vout AS prev_vout, s.sequence AS sequence
FROM (SELECT chain, generation, block_number, block_hash, block_time, sides FROM btc_decoded)
ARRAY JOIN sides AS s;
