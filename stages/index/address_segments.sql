-- What each address received and sent, and when it was first and last seen.
-- Grain: one address in one segment and hour. Parameters: chain, from, to, generation, segmentBlocks. Every segment the batch touches
-- is read whole and written anew; the ledger is read first (left of the join), so a version never counts blocks the rows may lack.
-- Rows leave in no order: a batch is one block of rows, which its insert token covers. Sort keys: transfers (chain, block_number, …), batches (chain, from_block, …).
INSERT INTO address_segments (chain, hour, segment, address, transfers_in, usd_in, transfers_out, usd_out, first_block, last_block, first_time, last_time, version)
WITH
  intDiv({from:UInt64}, {segmentBlocks:UInt64}) AS lowest, intDiv({to:UInt64}, {segmentBlocks:UInt64}) AS highest,
  enriched AS (
    SELECT segment, bitShiftLeft(toUInt64({generation:UInt32}), 32) +
      sum(least(to_block + 1, (segment + 1) * {segmentBlocks:UInt64}) - greatest(from_block, segment * {segmentBlocks:UInt64})) AS version
    FROM batches ARRAY JOIN range(lowest, highest + 1) AS segment
    WHERE chain = {chain:String} AND stage = 'enrich' AND from_block >= if({from:UInt64} > 100000, {from:UInt64} - 100000, 0)
      AND from_block < (highest + 1) * {segmentBlocks:UInt64} AND from_block < (segment + 1) * {segmentBlocks:UInt64} AND to_block >= segment * {segmentBlocks:UInt64}
    GROUP BY segment
  ),
  sums AS (
    SELECT toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment, side.1 AS address,
      countIf(side.2 = 1) AS transfers_in, sumIf(usd, side.2 = 1) AS usd_in, countIf(side.2 = 0) AS transfers_out, sumIf(usd, side.2 = 0) AS usd_out,
      min(block_number) AS first_block, max(block_number) AS last_block, min(block_time) AS first_time, max(block_time) AS last_time
    FROM (
      SELECT block_time, block_number, toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd, from_address, to_address
      FROM transfers
      WHERE chain = {chain:String} AND block_number >= lowest * {segmentBlocks:UInt64} AND block_number < (highest + 1) * {segmentBlocks:UInt64}
    )
    ARRAY JOIN [(to_address, 1), (from_address, 0)] AS side
    GROUP BY hour, segment, address
  )
SELECT {chain:String}, s.hour, s.segment, s.address, s.transfers_in, s.usd_in, s.transfers_out, s.usd_out, s.first_block, s.last_block, s.first_time, s.last_time, v.version
FROM enriched AS v
INNER JOIN sums AS s ON s.segment = v.segment
