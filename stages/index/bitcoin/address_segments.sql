-- What each address of Bitcoin received and sent, and when it was first and last seen; transfers_in counts outputs, transfers_out inputs.
-- Grain: one address in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the segments from the lowest on, read before this:
-- segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Rows leave in no order: a batch is one block of rows, which its insert token covers. Sort keys: btc_outputs, btc_inputs (chain, block_number, …), prices (chain, token, block_number).
INSERT INTO address_segments (chain, hour, segment, address, transfers_in, usd_in, transfers_out, usd_out, first_block, last_block, first_time, last_time, version)
WITH intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64} AS low, (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64} - 1 AS high
SELECT {chain:String}, toStartOfHour(toDateTime(s.block_time)) AS hour, intDiv(s.block_number, {segmentBlocks:UInt64}) AS segment, toFixedString(substring(SHA256(s.address), 1, 20), 20) AS id,
  countIf(s.inward), sumIf(toDecimal256(ifNull(toFloat64(s.value) / 1e8 * p.usd, 0), 6), s.inward), countIf(NOT s.inward), sumIf(toDecimal256(ifNull(toFloat64(s.value) / 1e8 * p.usd, 0), 6), NOT s.inward),
  min(s.block_number), max(s.block_number), min(s.block_time), max(s.block_time), {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT block_number, block_time, address, value, true AS inward FROM btc_outputs WHERE chain = {chain:String} AND block_number BETWEEN low AND high AND address != ''
  UNION ALL
  SELECT block_number, block_time, address, assumeNotNull(value), false FROM btc_inputs WHERE chain = {chain:String} AND block_number BETWEEN low AND high AND address != '' AND value IS NOT NULL
) AS s
LEFT JOIN (SELECT block_number, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN low AND high) AS p ON p.block_number = s.block_number
GROUP BY hour, segment, id
