-- What moved between classes of addresses.
-- Grain: one token between two classes in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the
-- segments from the lowest on, read before this: segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Amounts from 2^200 on are counted (oversized) and not summed: a token may emit any amount, and a sum must not wrap.
-- Rows leave in no order: the table sorts them. Sort key of transfers: (chain, block_number, …).
INSERT INTO class_segments (chain, hour, segment, from_class, to_class, token, transfers, amount, oversized, value_usd, priced_transfers, version)
SELECT {chain:String}, toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment,
  from_class, to_class, token, count(), sumIf(amount, sane), countIf(NOT sane),
  sum(usd), countIf(priced),
  {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT block_time, block_number, from_class, to_class, token, amount, amount < bitShiftLeft(toUInt256(1), 200) AS sane,
    toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd, value_usd IS NOT NULL AS priced
  FROM transfers
  WHERE chain = {chain:String} AND block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
    AND block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64}
)
GROUP BY hour, segment, from_class, to_class, token
