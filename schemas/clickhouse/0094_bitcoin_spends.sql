-- Where outputs were spent. A trail asks for up to a thousand of them at once, and that many make the Bloom filter of btc_inputs let nearly every granule through: it goes, and no block pays for it any more.
-- Grain: one input but a coinbase's, by the first 8 bytes of the txid it spends of, and which output: the full txid is compared where it is read. An input is here as soon as it is read, whether it is known what it spends or not: btc_inputs has it when that was looked for.
-- Filled where sides are read, as btc_outputs is. What was there before is copied: of btc_inputs, then what waits in btc_read_inputs; of batches that have landed normalize, row by row where a copy was cut off. Of others a repeat brings what is lacking (stages/mend.ts).
CREATE TABLE IF NOT EXISTS btc_spends (
  chain LowCardinality(String), prefix UInt64, prev_vout UInt32, block_number UInt64, tx_index UInt32, generation UInt32
) ENGINE = MergeTree PARTITION BY (chain, intDiv(block_number, 1000000)) ORDER BY (chain, prefix, prev_vout, block_number, tx_index)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS btc_sides_spends TO btc_spends AS
SELECT chain, reinterpretAsUInt64(prev_txid) AS prefix, prev_vout, block_number, tx_index, generation FROM btc_sides WHERE side IN ('spent', 'unknown');

INSERT INTO btc_spends (chain, prefix, prev_vout, block_number, tx_index, generation)
WITH short AS (
  SELECT c.chain AS chain, c.block_number AS block_number, c.generation AS generation FROM (
    SELECT toString(i.chain) AS chain, i.block_number AS block_number, i.generation AS generation, toInt64(count()) AS many FROM btc_inputs AS i WHERE i.prevout != 'coinbase' GROUP BY i.chain, i.block_number, i.generation
    UNION ALL
    SELECT toString(s.chain) AS chain, s.block_number AS block_number, s.generation AS generation, -toInt64(count()) AS many FROM btc_spends AS s GROUP BY s.chain, s.block_number, s.generation
  ) AS c GROUP BY c.chain, c.block_number, c.generation HAVING sum(c.many) > 0
), lacking AS (
  SELECT s.chain AS chain, s.block_number AS block_number, s.generation AS generation FROM short AS s
  ASOF INNER JOIN (SELECT toString(b.chain) AS chain, b.generation AS generation, b.from_block AS from_block, b.to_block AS to_block FROM batches AS b WHERE b.stage = 'normalize') AS n
    ON n.chain = s.chain AND n.generation = s.generation AND n.from_block <= s.block_number
  WHERE n.to_block >= s.block_number
)
SELECT i.chain, reinterpretAsUInt64(i.prev_txid) AS start, i.prev_vout, i.block_number, i.tx_index, i.generation FROM btc_inputs AS i
WHERE i.prevout != 'coinbase' AND (i.chain, i.block_number, i.generation) IN (SELECT chain, block_number, generation FROM lacking)
  AND (i.chain, i.block_number, i.generation, i.tx_index, start, i.prev_vout) NOT IN
    (SELECT s.chain, s.block_number, s.generation, s.tx_index, s.prefix, s.prev_vout FROM btc_spends AS s WHERE (s.chain, s.block_number, s.generation) IN (SELECT chain, block_number, generation FROM lacking))
SETTINGS max_bytes_before_external_group_by = 1000000000;

INSERT INTO btc_spends (chain, prefix, prev_vout, block_number, tx_index, generation)
WITH short AS (
  SELECT c.chain AS chain, c.block_number AS block_number, c.generation AS generation FROM (
    SELECT toString(r.chain) AS chain, r.block_number AS block_number, r.generation AS generation, toInt64(count()) AS many FROM btc_read_inputs AS r GROUP BY r.chain, r.block_number, r.generation
    UNION ALL
    SELECT toString(i.chain) AS chain, i.block_number AS block_number, i.generation AS generation, -toInt64(count()) AS many FROM btc_inputs AS i WHERE i.prevout IN ('own', 'unresolved') GROUP BY i.chain, i.block_number, i.generation
  ) AS c GROUP BY c.chain, c.block_number, c.generation HAVING sum(c.many) > 0
), lacking AS (
  SELECT s.chain AS chain, s.block_number AS block_number, s.generation AS generation FROM short AS s
  ASOF INNER JOIN (SELECT toString(b.chain) AS chain, b.generation AS generation, b.from_block AS from_block, b.to_block AS to_block FROM batches AS b WHERE b.stage = 'normalize') AS n
    ON n.chain = s.chain AND n.generation = s.generation AND n.from_block <= s.block_number
  WHERE n.to_block >= s.block_number
)
SELECT r.chain, reinterpretAsUInt64(r.prev_txid) AS start, r.prev_vout, r.block_number, r.tx_index, r.generation FROM btc_read_inputs AS r
WHERE (r.chain, r.block_number, r.generation) IN (SELECT chain, block_number, generation FROM lacking)
  AND (r.chain, r.block_number, r.generation, r.tx_index, start, r.prev_vout) NOT IN
    (SELECT s.chain, s.block_number, s.generation, s.tx_index, s.prefix, s.prev_vout FROM btc_spends AS s WHERE (s.chain, s.block_number, s.generation) IN (SELECT chain, block_number, generation FROM lacking))
SETTINGS max_bytes_before_external_group_by = 1000000000;

ALTER TABLE btc_inputs DROP INDEX IF EXISTS by_prev;
