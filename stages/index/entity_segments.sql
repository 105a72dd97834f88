-- What flowed in and out of each entity, and between its own addresses.
-- Grain: one token of one entity in one segment and hour. Parameters: chain, from, to, generation, segmentBlocks. Every segment the batch touches
-- is read whole and written anew; the ledger is read first (left of the join), so a version never counts blocks the rows may lack.
-- Rows leave in no order: a batch is one block of rows, which its insert token covers. Sort keys: transfers (chain, block_number, …), batches (chain, from_block, …).
INSERT INTO entity_segments (chain, hour, segment, entity, token, transfers_in, amount_in, usd_in, transfers_out, amount_out, usd_out, transfers_internal, amount_internal, version)
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
    SELECT toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment, side.1 AS entity, token,
      countIf(side.2 = 'in') AS transfers_in, sumIf(amount, side.2 = 'in') AS amount_in, sumIf(usd, side.2 = 'in') AS usd_in,
      countIf(side.2 = 'out') AS transfers_out, sumIf(amount, side.2 = 'out') AS amount_out, sumIf(usd, side.2 = 'out') AS usd_out,
      countIf(side.2 = 'internal') AS transfers_internal, sumIf(amount, side.2 = 'internal') AS amount_internal
    FROM (
      SELECT block_time, block_number, token, amount, toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd,
        if(from_entity = to_entity, [(from_entity, 'internal')], arrayFilter(x -> x.1 != '', [(to_entity, 'in'), (from_entity, 'out')])) AS sides
      FROM transfers
      WHERE chain = {chain:String} AND block_number >= lowest * {segmentBlocks:UInt64} AND block_number < (highest + 1) * {segmentBlocks:UInt64}
        AND (from_entity != '' OR to_entity != '')
    ) ARRAY JOIN sides AS side
    GROUP BY hour, segment, entity, token
  )
SELECT {chain:String}, s.hour, s.segment, s.entity, s.token, s.transfers_in, s.amount_in, s.usd_in, s.transfers_out, s.amount_out, s.usd_out, s.transfers_internal, s.amount_internal, v.version
FROM enriched AS v
INNER JOIN sums AS s ON s.segment = v.segment
