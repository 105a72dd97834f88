-- What moved between classes of addresses.
-- Grain: one token between two classes in one segment and hour. Parameters: chain, from, to, generation, segmentBlocks. Every segment the batch touches
-- is read whole and written anew; the ledger is read first (left of the join), so a version never counts blocks the rows may lack.
-- Rows leave in no order: a batch is one block of rows, which its insert token covers. Sort keys: transfers (chain, block_number, …), batches (chain, from_block, …).
INSERT INTO class_segments (chain, hour, segment, from_class, to_class, token, transfers, amount, value_usd, priced_transfers, version)
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
    SELECT toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment, from_class, to_class, token, count() AS transfers, sum(amount) AS amount,
      sum(usd) AS value_usd, countIf(priced) AS priced_transfers
    FROM (
      SELECT block_time, block_number, from_class, to_class, token, amount, toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd, value_usd IS NOT NULL AS priced
      FROM transfers
      WHERE chain = {chain:String} AND block_number >= lowest * {segmentBlocks:UInt64} AND block_number < (highest + 1) * {segmentBlocks:UInt64}
    )
    GROUP BY hour, segment, from_class, to_class, token
  )
SELECT {chain:String}, s.hour, s.segment, s.from_class, s.to_class, s.token, s.transfers, s.amount, s.value_usd, s.priced_transfers, v.version
FROM enriched AS v
INNER JOIN sums AS s ON s.segment = v.segment
