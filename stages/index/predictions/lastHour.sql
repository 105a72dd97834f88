-- The last hour that is over and lies deep enough under the newest block to stay (15 minutes), and the lowest height of the 60 days before. Newest means that it and all
-- that is stored of the day before it has passed the index: an hour that is only in part there has other prices and flows than it will have. Grain: one row.
-- Parameters: chain. Sort keys: blocks (chain, block_number), batches (chain, from_block, …).
WITH
  (SELECT ifNull(maxOrNull(to_block) + 1, 0) FROM batches WHERE chain = {chain:String} AND stage = 'index') AS below,
  (SELECT max(block_time) FROM blocks WHERE chain = {chain:String} AND block_number < below) AS top,
  (SELECT min(block_number) FROM blocks WHERE chain = {chain:String} AND block_number < below AND block_time >= top - INTERVAL 1 DAY) AS low,
  (SELECT min(block_time) FROM blocks WHERE chain = {chain:String} AND block_number >= low AND block_number < below AND block_number NOT IN (
    SELECT arrayJoin(range(greatest(from_block, low), to_block + 1)) FROM batches WHERE chain = {chain:String} AND stage = 'index' AND to_block >= low)) AS open,
  if(toUnixTimestamp(open) > 0, open, top) AS newest
SELECT toFloat64(toUnixTimestamp(toStartOfHour(toDateTime(newest) - INTERVAL 15 MINUTE) - INTERVAL 1 HOUR)) AS version, toFloat64(min(block_number)) AS lowest, toFloat64(count()) AS blocks
FROM blocks WHERE chain = {chain:String} AND block_number < below AND block_time >= newest - INTERVAL 61 DAY
