-- Blocks out of their bytes, decoded beside the event loop. Grain: one block; schemas/clickhouse/0075_bitcoin_decoded.sql says how it is cut into rows.
-- Parameters: chain, generation, halving. Data: RowBinary rows as decodeBlock.ts makes them.
-- One block of rows: a repeat then has the same token in every table. The views cut it side by side: planning them is most of what a single block costs. None writes two rows of one key, so nothing is merged on the way. No plan of theirs can be bettered: looking for that was a tenth of a single block.
INSERT INTO btc_decoded (chain, generation, halving, block_number, block_hash, parent_hash, version, merkle_root, time, bits, nonce, size, weight, coinbase_text, transactions, brought, sides)
SELECT {chain:String}, {generation:UInt32}, {halving:UInt32}, block_number, block_hash, parent_hash, version, merkle_root, time, bits, nonce, size, weight,
  coinbase_text, transactions, brought, sides
FROM input('block_number UInt64, block_hash FixedString(32), parent_hash FixedString(32), version Int32, merkle_root FixedString(32), time UInt32, bits UInt32, nonce UInt32, size UInt32, weight UInt32,
  coinbase_text String,
  transactions Array(Tuple(txid FixedString(32), version Int32, locktime UInt32, size UInt32, weight UInt32, input_count UInt32, output_count UInt32, output_value UInt64)), brought Array(Nullable(UInt64)),
  sides Array(Tuple(tx_index UInt32, place UInt32, side Enum8(\'output\' = 1, \'spent\' = 2, \'unknown\' = 3, \'coinbase\' = 4), txid FixedString(32), value UInt64, script String,
    script_type Enum8(\'\' = 0, \'nonstandard\' = 1, \'pubkey\' = 2, \'pubkeyhash\' = 3, \'scripthash\' = 4, \'multisig\' = 5, \'nulldata\' = 6, \'witness_v0_keyhash\' = 7, \'witness_v0_scripthash\' = 8,
      \'witness_v1_taproot\' = 9, \'witness_unknown\' = 10, \'anchor\' = 11), address String, prev_txid FixedString(32), prev_vout UInt32, sequence UInt32))')
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 2, parallel_view_processing = 1, query_plan_enable_optimizations = 0, optimize_on_insert = 0, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
FORMAT RowBinary
