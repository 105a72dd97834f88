-- What each address received and sent, and when it was first and last seen.
-- Grain: one address in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the
-- segments from the lowest on, read before this: segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Rows leave in no order: the table sorts them. Sort key of transfers: (chain, block_number, …).
INSERT INTO address_segments (chain, hour, segment, address, transfers_in, usd_in, transfers_out, usd_out, first_block, last_block, first_time, last_time, version)
SELECT {chain:String}, toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment,
  side.1 AS address,
  countIf(side.2 = 1), sumIf(usd, side.2 = 1), countIf(side.2 = 0), sumIf(usd, side.2 = 0),
  min(block_number), max(block_number), min(block_time), max(block_time),
  {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT block_time, block_number, toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd, from_address, to_address
  FROM transfers
  WHERE chain = {chain:String} AND block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
    AND block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64}
)
ARRAY JOIN [(to_address, 1), (from_address, 0)] AS side
GROUP BY hour, segment, address
-- One row for each key leaves. Merging those of an insert finds none, and costs as much as sorting them.
SETTINGS optimize_on_insert = 0
