-- What was traded between two tokens. Aggregators are left out: they repeat the swaps of pools.
-- Grain: one pair (lower address first) on one protocol in one segment and hour. Parameters: chain, from, to, generation, segmentBlocks. Every segment the batch touches
-- is read whole and written anew; the ledger is read first (left of the join), so a version never counts blocks the rows may lack.
-- Rows leave in no order: a batch is one block of rows, which its insert token covers. Sort keys: swaps (chain, block_number, …), batches (chain, from_block, …).
INSERT INTO pair_segments (chain, hour, segment, token_a, token_b, protocol, swaps, amount_a, amount_b, value_usd, priced_swaps, traders, version)
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
    SELECT toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment, least(token_sold, token_bought) AS token_a, greatest(token_sold, token_bought) AS token_b, protocol,
      count() AS swaps, sum(if(token_sold < token_bought, amount_sold, amount_bought)) AS amount_a, sum(if(token_sold < token_bought, amount_bought, amount_sold)) AS amount_b,
      sum(usd) AS value_usd, countIf(priced) AS priced_swaps, uniqCombined64State(trader) AS traders
    FROM (
      SELECT block_time, block_number, token_sold, token_bought, protocol, amount_sold, amount_bought, toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd, value_usd IS NOT NULL AS priced, trader FROM swaps
      WHERE chain = {chain:String} AND block_number >= lowest * {segmentBlocks:UInt64} AND block_number < (highest + 1) * {segmentBlocks:UInt64}
        AND NOT aggregator AND token_sold_known AND token_bought_known AND token_sold != token_bought
    )
    GROUP BY hour, segment, token_a, token_b, protocol
  )
SELECT {chain:String}, s.hour, s.segment, s.token_a, s.token_b, s.protocol, s.swaps, s.amount_a, s.amount_b, s.value_usd, s.priced_swaps, s.traders, v.version
FROM enriched AS v
INNER JOIN sums AS s ON s.segment = v.segment
