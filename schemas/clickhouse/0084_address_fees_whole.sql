-- What 0081 left out where its copy was cut off: it copies block by block, and a block that was begun counted as there. Row by row now, of batches that have landed normalize; of others a repeat brings what is lacking (stages/mend.ts).
-- Rows that two processes copied at once, before statements of migrations had names of their own, stand twice and are left: such a database is to be filled anew.
-- Grain: one transaction that cost something and is not in address_fees.
INSERT INTO address_fees (chain, address, block_number, tx_index, fee, generation)
WITH short AS (
  SELECT c.chain AS chain, c.block_number AS block_number, c.generation AS generation FROM (
    SELECT toString(t.chain) AS chain, t.block_number AS block_number, t.generation AS generation, toInt64(uniqExact(t.tx_index)) AS many FROM transactions AS t
    WHERE t.gas_used * t.gas_price + ifNull(t.blob_gas_used * t.blob_gas_price, 0) > 0 GROUP BY t.chain, t.block_number, t.generation
    UNION ALL
    SELECT toString(f.chain) AS chain, f.block_number AS block_number, f.generation AS generation, -toInt64(uniqExact(f.tx_index)) AS many FROM address_fees AS f GROUP BY f.chain, f.block_number, f.generation
  ) AS c GROUP BY c.chain, c.block_number, c.generation HAVING sum(c.many) > 0
), lacking AS (
  SELECT s.chain AS chain, s.block_number AS block_number, s.generation AS generation FROM short AS s
  ASOF INNER JOIN (SELECT toString(b.chain) AS chain, b.generation AS generation, b.from_block AS from_block, b.to_block AS to_block FROM batches AS b WHERE b.stage = 'normalize') AS n
    ON n.chain = s.chain AND n.generation = s.generation AND n.from_block <= s.block_number
  WHERE n.to_block >= s.block_number
)
SELECT t.chain, t.from_address, t.block_number, t.tx_index, t.gas_used * t.gas_price + ifNull(t.blob_gas_used * t.blob_gas_price, 0) AS cost, t.generation FROM transactions AS t
WHERE cost > 0 AND (t.chain, t.block_number, t.generation) IN (SELECT chain, block_number, generation FROM lacking)
  AND (t.chain, t.block_number, t.generation, t.tx_index) NOT IN (SELECT f.chain, f.block_number, f.generation, f.tx_index FROM address_fees AS f WHERE (f.chain, f.block_number, f.generation) IN (SELECT chain, block_number, generation FROM lacking))
SETTINGS max_bytes_before_external_group_by = 1000000000;
