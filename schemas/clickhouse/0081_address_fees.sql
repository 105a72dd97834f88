-- What senders paid for gas, blobs too, by sender: coin that left an address though no transfer tells of it. Without it a queue of coin is longer than the balance it stands for.
-- Grain: one transaction that cost something. fee in wei. Filled from transactions as they are written, so whoever writes those fills it; what was there before is copied, block by block that is not here yet.
CREATE TABLE IF NOT EXISTS address_fees (
  chain LowCardinality(String), address FixedString(20), block_number UInt64, tx_index UInt32, fee UInt256, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, address, block_number, tx_index)
SETTINGS non_replicated_deduplication_window = 10000, index_granularity = 1024, min_compress_block_size = 16384;

CREATE MATERIALIZED VIEW IF NOT EXISTS transactions_fees TO address_fees AS
SELECT chain, from_address AS address, block_number, tx_index, gas_used * gas_price + ifNull(blob_gas_used * blob_gas_price, 0) AS fee, generation FROM transactions WHERE fee > 0;

INSERT INTO address_fees
SELECT chain, from_address, block_number, tx_index, gas_used * gas_price + ifNull(blob_gas_used * blob_gas_price, 0) AS fee, generation FROM transactions
WHERE fee > 0 AND (chain, block_number, generation) NOT IN (SELECT chain, block_number, generation FROM address_fees);
