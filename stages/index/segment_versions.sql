-- Versions of the segments a batch touches, lowest first: what a computation that reads its rows after this may claim to have seen.
-- Grain: one row. Parameters: chain, from, to, segmentBlocks. Asked before the statements that bind it, never inside them.
-- version = 2^32 * (times rows of blocks were deleted) + batches of the segment enriched so far, orphaned ones too. Both only grow, whatever
-- a batch's own generation is: the last computation after the last change has the largest, and equal versions saw the same rows.
-- Sort key of batches (chain, from_block, …); no batch is longer than 512 blocks.
SELECT arrayMap(segment -> (SELECT max(epoch) FROM rollbacks_applied WHERE chain = {chain:String}) * 4294967296
    + arrayCount(batch -> batch.1 < (segment + 1) * {segmentBlocks:UInt64} AND batch.2 >= segment * {segmentBlocks:UInt64}, groupArray((from_block, to_block))),
  range(intDiv({from:UInt64}, {segmentBlocks:UInt64}), intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1)) AS versions
FROM batches
WHERE chain = {chain:String} AND stage = 'enrich' AND from_block + 512 > {from:UInt64} - {from:UInt64} % {segmentBlocks:UInt64}
  AND from_block < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64}
