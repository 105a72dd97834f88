-- What moved between classes of addresses, by token, below a rank. value_usd is null where nothing of it has a price: it ranks as 0. listed: the coin, or a token that a list names: of another its own pools say the price.
-- Grain: one token between two classes. Parameters: chain, newest (height the span ends at), from, to (Unix milliseconds, from at a full hour), segmentBlocks,
-- from_class, to_class ('': any), rank (millionths of a dollar, of 10^24 at most: what a token says may be absurd) and after (classes and token, as in position), which together are the position, limit.
-- Sort keys: class_segments (chain, hour, from_class, to_class, token, segment), by hour, for segments that end by the height; transfers (chain, block_number, …) for
-- the blocks after them: so the sums are those of the span, whatever has arrived since. Read side by side from 16,384 rows on: summing 256 bits takes longer than reading them.
WITH intDiv({newest:UInt64} + 1, {segmentBlocks:UInt64}) AS tail
SELECT from_class, to_class, concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals', 'listed'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals, described.3 OR asset = toFixedString('', 20) AS listed,
  toFloat64(moves) AS transfers, if(absurd > 0, NULL, toNullable(toString(total))) AS amount, if(priced = 0, NULL, toNullable(toFloat64(usd))) AS value_usd, toFloat64(moves - priced) AS unpriced, toString(ranked) AS rank, place
FROM (
  SELECT u.from_class AS from_class, u.to_class AS to_class, u.token AS asset, sum(u.moves) AS moves, sum(u.amount) AS total, sum(u.absurd) AS absurd, sum(u.usd) AS usd, sum(u.priced) AS priced,
    toInt128(least(usd, toDecimal256('1e24', 6)) * 1000000) AS ranked, concat(from_class, ' ', to_class, ' ', lower(hex(asset))) AS place
  FROM (
    SELECT c.from_class AS from_class, c.to_class AS to_class, c.token AS token, c.transfers AS moves, c.amount AS amount, c.oversized AS absurd, c.value_usd AS usd, c.priced_transfers AS priced
    FROM class_segments AS c FINAL
    WHERE c.chain = {chain:String} AND c.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND c.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC') AND c.segment < tail
      AND ({from_class:String} = '' OR c.from_class = {from_class:String}) AND ({to_class:String} = '' OR c.to_class = {to_class:String})
    UNION ALL
    SELECT t.from_class, t.to_class, t.token, 1, if(t.amount < bitShiftLeft(toUInt256(1), 200), t.amount, 0), toUInt64(t.amount >= bitShiftLeft(toUInt256(1), 200)),
      toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6), toUInt64(t.value_usd IS NOT NULL)
    FROM transfers AS t
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64} AND t.block_time > fromUnixTimestamp64Milli({from:Int64})
      AND ({from_class:String} = '' OR t.from_class = {from_class:String}) AND ({to_class:String} = '' OR t.to_class = {to_class:String})
  ) AS u
  GROUP BY from_class, to_class, asset
  HAVING ranked < {rank:Int128} OR (ranked = {rank:Int128} AND place > {after:String})
  ORDER BY ranked DESC, place
  LIMIT {limit:UInt32}
)
ORDER BY ranked DESC, place
SETTINGS merge_tree_min_rows_for_concurrent_read = 16384, merge_tree_min_bytes_for_concurrent_read = 1048576
