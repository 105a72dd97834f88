-- The last hour of blocks of one chain, in numbers; open incidents without those of one customer's webhook.
-- Grain: one row. Parameters: chain. Sort key: (chain, block_number), by the first block of the hour that ends at the latest time of any; those above it that are dated before the hour (Bitcoin's) are left out.
WITH
  (SELECT max(block_time) FROM blocks WHERE chain = {chain:String}) AS newest,
  (SELECT min(block_number) FROM blocks WHERE chain = {chain:String} AND block_time > newest - INTERVAL 1 HOUR) AS first_block
SELECT
  toFloat64((SELECT count() FROM blocks WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest - INTERVAL 1 HOUR)) AS blocks,
  toFloat64((SELECT sum(tx_count) FROM blocks WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest - INTERVAL 1 HOUR)) AS transactions,
  toFloat64((SELECT count() FROM transfers WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest - INTERVAL 1 HOUR)) AS transfers,
  toFloat64((SELECT count() FROM transfers WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest - INTERVAL 1 HOUR AND value_usd >= 100000 AND kind NOT IN ('wrap', 'unwrap'))) AS whales,
  toFloat64((SELECT count() FROM swaps WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest - INTERVAL 1 HOUR AND NOT aggregator)) AS swaps,
  toFloat64((SELECT count() FROM (SELECT id FROM alerts WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest - INTERVAL 1 HOUR GROUP BY id HAVING NOT argMax(retracted, version)))) AS alerts,
  toFloat64((SELECT count() FROM (SELECT id FROM incidents GROUP BY id HAVING argMax(tuple(closed_at), at).1 IS NULL AND argMax(kind, at) != 'webhook_dead'))) AS open_incidents
