-- What moved of each token.
-- Grain: one token in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the
-- segments from the lowest on, read before this: segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Amounts from 2^200 on are counted (oversized) and not summed: a token may emit any amount, and a sum must not wrap.
-- Rows leave in no order: the table sorts them. Sort key of transfers: (chain, block_number, …).
INSERT INTO token_segments (chain, hour, segment, token, transfers, amount, oversized, value_usd, priced_transfers, senders, receivers, version)
SELECT {chain:String}, toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment,
  token, count(), sumIf(amount, sane), countIf(NOT sane),
  sum(usd), countIf(priced), uniqCombined64State(from_address), uniqCombined64State(to_address),
  {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT block_time, block_number, token, amount, amount < bitShiftLeft(toUInt256(1), 200) AS sane,
    toDecimal256(least(ifNull(value_usd, 0), 1e60), 6) AS usd, value_usd IS NOT NULL AS priced, from_address, to_address
  FROM transfers
  WHERE chain = {chain:String} AND block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
    AND block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64}
)
GROUP BY hour, segment, token
