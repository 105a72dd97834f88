-- The last hour that is over and lies deep enough under the newest block to stay (15 minutes), and the lowest height of the 60 days before. Grain: one row.
-- Parameters: chain. Sort key: blocks (chain, block_number).
WITH (SELECT max(block_time) FROM blocks WHERE chain = {chain:String}) AS newest
SELECT toFloat64(toUnixTimestamp(toStartOfHour(toDateTime(newest) - INTERVAL 15 MINUTE) - INTERVAL 1 HOUR)) AS version, toFloat64(min(block_number)) AS lowest, toFloat64(count()) AS blocks
FROM blocks WHERE chain = {chain:String} AND block_time >= newest - INTERVAL 61 DAY
