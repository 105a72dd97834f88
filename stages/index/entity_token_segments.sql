-- What flowed in and out of each entity, and between its own addresses.
-- Grain: one token of one entity in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the
-- segments from the lowest on, read before this: segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Amounts from 2^200 on are counted (oversized) and not summed: a token may emit any amount, and a sum must not wrap.
-- Rows leave in no order: the table sorts them. Sort key of transfers: (chain, block_number, …).
INSERT INTO entity_token_segments (chain, hour, segment, entity, token, transfers_in, amount_in, usd_in, transfers_out, amount_out, usd_out, transfers_internal, amount_internal,
  oversized, version)
SELECT {chain:String}, toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment,
  side.1 AS entity, token,
  countIf(side.2 = 'in'), sumIf(summed, side.2 = 'in'), sumIf(usd, side.2 = 'in'),
  countIf(side.2 = 'out'), sumIf(summed, side.2 = 'out'), sumIf(usd, side.2 = 'out'),
  countIf(side.2 = 'internal'), sumIf(summed, side.2 = 'internal'), countIf(NOT sane),
  {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT block_time, block_number, token, amount < bitShiftLeft(toUInt256(1), 200) AS sane, if(sane, amount, 0) AS summed,
    toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd,
    if(from_entity = to_entity, [(from_entity, 'internal')], arrayFilter(x -> x.1 != '', [(to_entity, 'in'), (from_entity, 'out')])) AS sides
  FROM transfers
  WHERE chain = {chain:String} AND block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
    AND block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64}
    AND (from_entity != '' OR to_entity != '')
) ARRAY JOIN sides AS side
GROUP BY hour, segment, entity, token
