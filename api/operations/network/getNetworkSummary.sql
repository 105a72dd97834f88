-- The last indexed hour of one chain in numbers, and the newest block.
-- The hour ends at the latest time of any block; latest_block_time is the newest block's own: one of Bitcoin may be dated before the one below it.
-- Grain: one row, none where nothing is indexed. Parameters: chain. Sort key: (chain, block_number) of each table, from the first block of the hour; those above it that are dated before the hour (Bitcoin's) are left out.
WITH
  (SELECT (max(block_number), max(block_time), argMax(block_time, block_number)) FROM blocks WHERE chain = {chain:String}) AS newest,
  (SELECT min(block_number) FROM blocks WHERE chain = {chain:String} AND block_time > newest.2 - INTERVAL 1 HOUR) AS first_block
SELECT toFloat64(newest.1) AS latest_block, newest.3 AS latest_block_time,
  toFloat64(count()) AS blocks, toFloat64(sum(tx_count)) AS transactions, toFloat64(sum(log_count)) AS logs,
  toFloat64((SELECT count() FROM transfers WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest.2 - INTERVAL 1 HOUR)) AS transfers,
  (SELECT (toFloat64(count()), round(toFloat64(sum(toDecimal256(least(ifNull(value_usd, 0), 1e60), 6))), 2)) FROM transfers
    WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest.2 - INTERVAL 1 HOUR AND value_usd >= 100000 AND kind NOT IN ('wrap', 'unwrap')) AS large,
  large.1 AS whales, large.2 AS whale_usd,
  toFloat64((SELECT count() FROM swaps WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest.2 - INTERVAL 1 HOUR AND NOT aggregator)) AS swaps,
  toFloat64((SELECT count() FROM (SELECT id FROM alerts WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest.2 - INTERVAL 1 HOUR GROUP BY id HAVING NOT argMax(retracted, version)))) AS alerts
FROM blocks
WHERE chain = {chain:String} AND block_number >= first_block AND block_time > newest.2 - INTERVAL 1 HOUR
HAVING count() > 0
