-- Tokens that addresses of the classes fund and whale gained and lost; moves among them are left out. smart is what leaders of one run's leaderboards bought and sold, and whale
-- also what addresses that a rule calls whales did, whatever else they moved. Each address counts once: by its label, else as a leader, else as a whale; its moves go by
-- the label they were made under, its trades by the one of now: of who got such a label within the span nothing is told from before, and what a former fund or whale traded under it may stand twice.
-- listed: the coin, or a token that a list names: of another its own pools say the price. Dollars are null where nothing that moved that way has a price (they rank as 0); unpriced counts what has none. Grain: one token of one class, below a rank.
-- Parameters: chain, from, to (Unix milliseconds, from at a full hour), first, newest (the blocks of that time), segmentBlocks, run (the height from which the
-- leaderboards are in force), as_of (the height they are of), rule_version and rule (those they went by), labels (run of the rules), rank (millionths of a dollar, gained less lost, without sign, of 10^24 dollars at most: what a token says may be absurd) and after (class and token), which together are the position, limit.
-- Sort keys: class_segments (chain, hour, from_class, to_class, token, segment), by hour, for segments that end by the height; transfers (chain, block_number, …)
-- for the blocks after them: so the sums are those of the span, whatever has arrived since; wallet_trades (chain, account, …), by the leaders and whales.
WITH intDiv({newest:UInt64} + 1, {segmentBlocks:UInt64}) AS tail
SELECT class, concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals', 'listed'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals, described.3 OR asset = toFixedString('', 20) AS listed,
  toFloat64(moves) AS transfers, if(absurd > 0, NULL, toNullable(toString(gained))) AS amount_in, if(absurd > 0, NULL, toNullable(toString(lost))) AS amount_out,
  if(ins > 0 AND priced_ins = 0, NULL, toFloat64(usd_gained)) AS usd_in, if(moves > ins AND priced = priced_ins, NULL, toFloat64(usd_lost)) AS usd_out, if(usd_in IS NULL OR usd_out IS NULL, NULL, toFloat64(usd_gained - usd_lost)) AS usd_net,
  toFloat64(moves - priced) AS unpriced, toString(ranked) AS rank, place
FROM (
  SELECT u.class AS class, u.asset AS asset, sum(u.moves) AS moves, sumIf(u.moves, u.gains) AS ins, sum(u.priced) AS priced, sumIf(u.priced, u.gains) AS priced_ins, sum(u.absurd) AS absurd, sumIf(u.amount, u.gains) AS gained, sumIf(u.amount, NOT u.gains) AS lost, sumIf(u.usd, u.gains) AS usd_gained, sumIf(u.usd, NOT u.gains) AS usd_lost,
    toInt128(least(abs(usd_gained - usd_lost), toDecimal256('1e24', 6)) * 1000000) AS ranked, concat(class, ' ', lower(hex(asset))) AS place
  FROM (
    SELECT c.to_class IN ('fund', 'whale') AS gains, toString(if(gains, c.to_class, c.from_class)) AS class, c.token AS asset, c.transfers AS moves, c.oversized AS absurd, c.amount AS amount, c.value_usd AS usd, c.priced_transfers AS priced
    FROM class_segments AS c FINAL
    WHERE c.chain = {chain:String} AND c.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND c.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC') AND c.segment < tail
      AND (c.from_class IN ('fund', 'whale')) != (c.to_class IN ('fund', 'whale'))
    UNION ALL
    SELECT t.to_class IN ('fund', 'whale') AS gains, toString(if(gains, t.to_class, t.from_class)), t.token, 1, toUInt64(t.amount >= bitShiftLeft(toUInt256(1), 200)), if(t.amount < bitShiftLeft(toUInt256(1), 200), t.amount, 0),
      toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6), toUInt64(t.value_usd IS NOT NULL)
    FROM transfers AS t
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64} AND t.block_time > fromUnixTimestamp64Milli({from:Int64})
      AND (t.from_class IN ('fund', 'whale')) != (t.to_class IN ('fund', 'whale'))
    UNION ALL
    SELECT w.side = 'buy', 'smart', w.token, 1, 0, w.amount, toDecimal256(least(ifNull(w.usd, 0), 1e60), 6), toUInt64(w.usd IS NOT NULL)
    FROM wallet_trades AS w
    WHERE w.chain = {chain:String} AND w.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND w.account IN (
      SELECT l.account FROM leaders AS l
      WHERE l.chain = {chain:String} AND l.in_force_from = {run:UInt64} AND l.as_of = {as_of:UInt64} AND l.rule_version = {rule_version:UInt16} AND l.rule = {rule:String} AND dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(l.account))))) NOT IN ('fund', 'whale')
    )
    UNION ALL
    SELECT w.side = 'buy', 'whale', w.token, 1, 0, w.amount, toDecimal256(least(ifNull(w.usd, 0), 1e60), 6), toUInt64(w.usd IS NOT NULL)
    FROM wallet_trades AS w
    WHERE w.chain = {chain:String} AND w.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND w.account IN (
      SELECT toFixedString(unhex(substring(k.address, 3)), 20) FROM addresses_by_rule(chain = {chain:String}, label = 'whale', run = {labels:UInt64}) AS k
      WHERE dictGet('label_of', 'category', ({chain:String}, k.address)) NOT IN ('fund', 'whale')
    ) AND w.account NOT IN (SELECT l.account FROM leaders AS l WHERE l.chain = {chain:String} AND l.in_force_from = {run:UInt64} AND l.as_of = {as_of:UInt64} AND l.rule_version = {rule_version:UInt16} AND l.rule = {rule:String})
  ) AS u
  GROUP BY class, asset
  HAVING ranked < {rank:Int128} OR (ranked = {rank:Int128} AND place > {after:String})
  ORDER BY ranked DESC, place
  LIMIT {limit:UInt32}
)
ORDER BY ranked DESC, place
