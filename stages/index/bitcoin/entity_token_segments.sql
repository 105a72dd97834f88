-- What flowed in and out of each entity on Bitcoin, by its net in each transaction, and what it moved within itself.
-- Grain: one entity in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the
-- segments from the lowest on, read before this: segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- transfers count transactions; an entity's own change is in none of the sums. amount_internal: what came back to it where it lost no more than the fee.
-- *_unknown: what it received where an input is unresolved, which may be its own change; it is in no other sum.
-- Rows leave in no order: the table sorts them. Sort key of btc_entity_nets: (chain, block_number, …).
INSERT INTO entity_token_segments (chain, hour, segment, entity, token, transfers_in, amount_in, usd_in, transfers_out, amount_out, usd_out, transfers_internal, amount_internal,
  oversized, transfers_unknown, amount_unknown, usd_unknown, version)
SELECT {chain:String}, toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment, entity, toFixedString('', 20),
  countIf(kind = 'in'), sumIf(toUInt256(abs(net)), kind = 'in'), sumIf(toDecimal256(ifNull(value_usd, 0), 6), kind = 'in'),
  countIf(kind = 'out'), sumIf(toUInt256(abs(net)), kind = 'out'), sumIf(toDecimal256(ifNull(value_usd, 0), 6), kind = 'out'),
  countIf(kind = 'internal'), sumIf(toUInt256(received), kind = 'internal'), 0,
  countIf(kind = 'unknown'), sumIf(toUInt256(received), kind = 'unknown'), sumIf(toDecimal256(ifNull(value_usd, 0), 6), kind = 'unknown'),
  {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM btc_entity_nets
WHERE chain = {chain:String} AND block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
  AND block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64}
GROUP BY hour, segment, entity
