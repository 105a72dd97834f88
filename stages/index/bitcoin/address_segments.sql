-- What each address of Bitcoin received and sent, and when it was first and last seen; transfers_in counts outputs, transfers_out inputs.
-- Grain: one address in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the segments from the lowest on, read before this:
-- segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Dollars are added up in whole millionths, as the columns keep them. Rows leave in no order: the table sorts them.
-- Sort keys: btc_outputs, btc_inputs (chain, block_number, …), prices (chain, token, block_number).
INSERT INTO address_segments (chain, hour, segment, address, transfers_in, usd_in, transfers_out, usd_out, first_block, last_block, first_time, last_time, version)
WITH intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64} AS low, (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64} - 1 AS high,
  (SELECT (groupArray(block_number), groupArray(usd)) FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN low AND high) AS known
SELECT {chain:String}, toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment, id,
  sum(inward) AS ins, reinterpret(toInt256(sum(toInt128(if(inward = 1, worth, 0))) AS worth_in), 'Decimal(76, 6)'), count() - ins, reinterpret(toInt256(sum(toInt128(worth)) - worth_in), 'Decimal(76, 6)'),
  min(block_number), max(block_number), min(block_time), max(block_time), {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT block_number, block_time, party_id AS id, toUInt8(1) AS inward,
    toInt64(least(toFloat64(value) / 1e8 * transform(block_number, arrayConcat([toUInt64(0)], known.1), arrayConcat([toFloat64(0)], known.2), toFloat64(0)) * 1e6, 9e18)) AS worth
  FROM btc_outputs WHERE chain = {chain:String} AND block_number BETWEEN low AND high AND party_id != toFixedString('', 20)
  UNION ALL
  SELECT block_number, block_time, party_id, toUInt8(0),
    toInt64(least(toFloat64(assumeNotNull(value)) / 1e8 * transform(block_number, arrayConcat([toUInt64(0)], known.1), arrayConcat([toFloat64(0)], known.2), toFloat64(0)) * 1e6, 9e18))
  FROM btc_inputs WHERE chain = {chain:String} AND block_number BETWEEN low AND high AND party_id != toFixedString('', 20) AND value IS NOT NULL
)
GROUP BY hour, segment, id
-- One row for each key leaves. Merging those of an insert finds none, and costs as much as sorting them.
SETTINGS max_threads = 1, optimize_on_insert = 0
