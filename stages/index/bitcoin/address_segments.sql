-- What each address of Bitcoin received and sent, and when it was first and last seen; transfers_in counts outputs, transfers_out inputs.
-- Grain: one address in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the segments from the lowest on, read before this:
-- segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Rows leave in no order: a batch is one block of rows, which its insert token covers. Sort keys: btc_outputs, btc_inputs (chain, block_number, …), prices (chain, token, block_number).
INSERT INTO address_segments (chain, hour, segment, address, transfers_in, usd_in, transfers_out, usd_out, first_block, last_block, first_time, last_time, version)
WITH intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64} AS low, (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64} - 1 AS high
SELECT {chain:String}, toStartOfHour(toDateTime(time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment, id,
  sum(is_in), sum(if(is_in = 1, worth, toDecimal128(0, 6))), sum(is_out), sum(if(is_out = 1, worth, toDecimal128(0, 6))),
  min(block_number), max(block_number), min(time), max(time), {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT s.block_number AS block_number, s.block_time AS time, s.id AS id, s.is_in AS is_in, 1 - s.is_in AS is_out, if(p.usd > 0, toDecimal128(toFloat64(s.value) / 1e8 * p.usd, 6), toDecimal128(0, 6)) AS worth
  FROM (
    SELECT block_number, block_time, toFixedString(substring(SHA256(address), 1, 20), 20) AS id, value, 1 AS is_in FROM btc_outputs WHERE chain = {chain:String} AND block_number BETWEEN low AND high AND address != ''
    UNION ALL
    SELECT block_number, block_time, toFixedString(substring(SHA256(address), 1, 20), 20), assumeNotNull(value), 0 FROM btc_inputs WHERE chain = {chain:String} AND block_number BETWEEN low AND high AND address != '' AND value IS NOT NULL
  ) AS s
  LEFT JOIN (SELECT block_number, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN low AND high) AS p ON p.block_number = s.block_number
)
GROUP BY hour, segment, id
SETTINGS max_threads = 1
