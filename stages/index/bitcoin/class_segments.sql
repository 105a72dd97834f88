-- What moved between classes of addresses on Bitcoin, what leaves a CoinJoin (of confidence 50 and more) as from class coinjoin: any who took part may have sent it.
-- Grain: one token between two classes in one segment and hour. Parameters: chain, from, to, segmentBlocks, versions (of the
-- segments from the lowest on, read before this: segment_versions.sql). Every segment the batch touches is read whole and written anew.
-- No amount of Bitcoin is absurd. Rows leave in no order: the table sorts them. Sort keys: transfers (chain, block_number, …), btc_coinjoins (chain, block_number, tx_index).
INSERT INTO class_segments (chain, hour, segment, from_class, to_class, token, transfers, amount, oversized, value_usd, priced_transfers, version)
SELECT {chain:String}, toStartOfHour(toDateTime(block_time)) AS hour, intDiv(block_number, {segmentBlocks:UInt64}) AS segment, sender, to_class, token, count(), sum(amount), 0, sum(usd), countIf(priced),
  {versions:Array(UInt64)}[segment - intDiv({from:UInt64}, {segmentBlocks:UInt64}) + 1]
FROM (
  SELECT t.block_time AS block_time, t.block_number AS block_number, t.to_class AS to_class, t.token AS token, t.amount AS amount, toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6) AS usd, t.value_usd IS NOT NULL AS priced,
    if((t.block_number, t.tx_index) IN (
      SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
        AND c.block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64} AND c.confidence >= 50
    ), toLowCardinality('coinjoin'), t.from_class) AS sender
  FROM transfers AS t
  WHERE t.chain = {chain:String} AND t.block_number >= intDiv({from:UInt64}, {segmentBlocks:UInt64}) * {segmentBlocks:UInt64}
    AND t.block_number < (intDiv({to:UInt64}, {segmentBlocks:UInt64}) + 1) * {segmentBlocks:UInt64}
)
GROUP BY hour, segment, sender, to_class, token
