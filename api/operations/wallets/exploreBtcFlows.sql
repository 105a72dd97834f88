-- What moved between classes of addresses on Bitcoin, below a rank, as in exploreFlows.sql; what leaves a CoinJoin (of confidence 50 and more) is from class coinjoin. value_usd is null where nothing of it has a price: it ranks as 0.
-- Grain: the coin between two classes. Parameters: chain, first and newest (heights of the span), from, to (Unix milliseconds, from at a full hour), segmentBlocks,
-- from_class, to_class ('': any), rank (millionths of a dollar) and after (classes and token, as in position), which together are the position, limit.
-- Sort keys: class_segments (chain, hour, from_class, to_class, token, segment), by hour, for segments that end by the height; transfers (chain, block_number, kind, position, …) for
-- the blocks after them: so the sums are those of the span, whatever has arrived since. btc_coinjoins (chain, block_number, tx_index) by both heights, and transfers of theirs:
-- segments know no CoinJoins, which stages find side by side, so what they say of one is taken from its sender's class here and given to coinjoin.
WITH
  intDiv({newest:UInt64} + 1, {segmentBlocks:UInt64}) AS tail,
  joined AS (
    SELECT j.block_number AS block_number, j.tx_index AS tx_index FROM btc_coinjoins AS j WHERE j.chain = {chain:String} AND j.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND j.confidence >= 50
  )
SELECT from_class, to_class, concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals, asset = toFixedString('', 20) AS listed,
  toFloat64(moves) AS transfers, toNullable(toString(total)) AS amount, if(priced = 0, NULL, toNullable(toFloat64(usd))) AS value_usd, toFloat64(moves - priced) AS unpriced, toString(ranked) AS rank, place
FROM (
  SELECT u.from_class AS from_class, u.to_class AS to_class, u.token AS asset, sum(u.moves) AS moves, sum(u.amount) AS total, sum(u.usd) AS usd, sum(u.priced) AS priced,
    toInt128(usd * 1000000) AS ranked, concat(from_class, ' ', to_class, ' ', lower(hex(asset))) AS place
  FROM (
    SELECT toString(c.from_class) AS from_class, toString(c.to_class) AS to_class, c.token AS token, toInt64(c.transfers) AS moves, toInt256(c.amount) AS amount, c.value_usd AS usd, toInt64(c.priced_transfers) AS priced
    FROM class_segments AS c FINAL
    WHERE c.chain = {chain:String} AND c.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND c.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC') AND c.segment < tail
    UNION ALL
    SELECT toString(t.from_class), toString(t.to_class), t.token, 1, toInt256(t.amount), toDecimal256(ifNull(t.value_usd, 0), 6), toInt64(t.value_usd IS NOT NULL)
    FROM transfers AS t
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64} AND t.block_time > fromUnixTimestamp64Milli({from:Int64})
    UNION ALL
    SELECT side.1, toString(m.to_class), m.token, side.2, side.2 * toInt256(m.amount), side.2 * toDecimal256(ifNull(m.value_usd, 0), 6), side.2 * toInt64(m.value_usd IS NOT NULL)
    FROM transfers AS m ARRAY JOIN [(toString(m.from_class), -1), ('coinjoin', 1)] AS side
    WHERE m.chain = {chain:String} AND m.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND m.block_time > fromUnixTimestamp64Milli({from:Int64}) AND m.kind = 'utxo' AND (m.block_number, m.position) IN joined
  ) AS u
  WHERE ({from_class:String} = '' OR u.from_class = {from_class:String}) AND ({to_class:String} = '' OR u.to_class = {to_class:String})
  GROUP BY from_class, to_class, asset
  HAVING moves > 0 AND (ranked < {rank:Int128} OR (ranked = {rank:Int128} AND place > {after:String}))
  ORDER BY ranked DESC, place
  LIMIT {limit:UInt32}
)
ORDER BY ranked DESC, place
