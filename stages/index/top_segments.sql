-- The addresses that moved most dollars, and how much the best of the others moved: what the top of a day is put together from.
-- Grain: one segment with the lists of its 400 first addresses, most dollars first. Parameters: chain, from, to, segmentBlocks, versions (of the
-- segments from the lowest on, read before this: segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- Counted as topWallets.sql counts: wraps and payments to oneself are left out, zero is not an address anybody holds; dollars are exact millionths.
-- Lists written before with payments to oneself stay as they are, counted_as 1 where these are 2: nobody reads them.
-- Rows leave in no order: the table sorts them. Sort key of transfers: (chain, block_number, …).
INSERT INTO top_segments (chain, segment, addresses, ins, outs, usd_ins, usd_outs, firsts, lasts, more, bound, counted_as, version)
SELECT {chain:String}, segment, kept.2, kept.3, kept.4, kept.5, kept.6, kept.7, kept.8, length(ranked) > 400, if(length(ranked) > 400, -ranked[401].1, 0), 2,
  {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT segment, arraySort(groupArray((-usd_in - usd_out, address, ins, outs, usd_in, usd_out, earliest, latest))) AS ranked, arraySlice(ranked, 1, 400) AS kept
  FROM (
    SELECT segment, side.1 AS address, countIf(side.2 = 1) AS ins, countIf(side.2 = 0) AS outs, sumIf(usd, side.2 = 1) AS usd_in, sumIf(usd, side.2 = 0) AS usd_out, min(time) AS earliest, max(time) AS latest
    FROM (
      SELECT intDiv(block_number, {segmentBlocks:UInt64}) AS segment, block_time AS time, toInt128(least(assumeNotNull(value_usd), 1e24) * 1e6) AS usd, from_address, to_address
      FROM transfers
      WHERE chain = {chain:String} AND block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
        AND block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64} AND kind NOT IN ('wrap', 'unwrap') AND value_usd > 0 AND from_address != to_address
    )
    ARRAY JOIN [(to_address, 1), (from_address, 0)] AS side
    WHERE side.1 != toFixedString('', 20)
    GROUP BY segment, address
    ORDER BY segment, usd_in + usd_out DESC, address
    LIMIT 401 BY segment
  )
  GROUP BY segment
)
