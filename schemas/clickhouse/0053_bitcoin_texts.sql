-- Texts of Bitcoin's addresses (and of scripts without one) by their ids, as btc_addresses had them. They are read one by one and ids are hashes, so each text asked for costs a granule: granules
-- and compressed blocks are small. Both views write until all is copied: nothing is lost that a worker writes meanwhile.
-- Grain: one party (0017). It holds whatever became of the block it was seen in.
CREATE TABLE IF NOT EXISTS btc_parties (
  id FixedString(20), address String, script_type LowCardinality(String)
) ENGINE = ReplacingMergeTree ORDER BY id
SETTINGS index_granularity = 512, min_compress_block_size = 8192, non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_sides_parties TO btc_parties AS
SELECT DISTINCT toFixedString(substring(SHA256(party), 1, 20), 20) AS id, party AS address, script_type
FROM (SELECT script_type, if(address = '', concat('script', lower(hex(SHA256(script)))), address) AS party FROM btc_sides WHERE address != '' OR (value > 0 AND side IN ('output', 'spent')));

-- A repeat after the last statement finds nothing to copy.
CREATE TABLE IF NOT EXISTS btc_addresses (id FixedString(20), address String, script_type LowCardinality(String)) ENGINE = ReplacingMergeTree ORDER BY id;

INSERT INTO btc_parties SELECT id, address, script_type FROM btc_addresses;

DROP VIEW IF EXISTS btc_sides_addresses;

DROP TABLE IF EXISTS btc_addresses;
