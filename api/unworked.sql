-- Whether blocks of a chain, of heights and a time, are of batches that have not passed a stage yet: what they hold is not told in full, however long they have been there.
-- Grain: one row. Parameters: chain, stage, low and high (heights, both included), since and until (Unix milliseconds; later than the one, up to the other).
-- Sort keys: batches (chain, from_block, …), of which none is longer than 512 blocks and no two that are live overlap; blocks (chain, block_number) between the lowest and the highest of those batches.
WITH
  (
    SELECT groupArray((from_block, to_block)) FROM live_batches
    WHERE chain = {chain:String} AND from_block <= {high:UInt64} AND to_block >= {low:UInt64} AND from_block + 512 > {low:UInt64}
      AND (from_block, generation) NOT IN (SELECT from_block, generation FROM batches WHERE chain = {chain:String} AND stage = {stage:String} AND from_block + 512 > {low:UInt64} AND from_block <= {high:UInt64})
  ) AS open
SELECT count() > 0 AS unworked FROM blocks AS b
WHERE b.chain = {chain:String} AND b.block_number BETWEEN greatest({low:UInt64}, arrayMin(arrayPushBack(open.1, {high:UInt64}))) AND least({high:UInt64}, arrayMax(arrayPushBack(open.2, {low:UInt64})))
  AND b.block_time > fromUnixTimestamp64Milli({since:Int64}) AND b.block_time <= fromUnixTimestamp64Milli({until:Int64})
  AND arrayExists(range -> b.block_number BETWEEN range.1 AND range.2, open)
