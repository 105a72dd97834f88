-- Searchers of a span of blocks, those that kept the most first, below a rank. Grain: one searcher. Parameters: chain, first, newest (heights), kind ('' any), grades,
-- rank (millionths of a dollar kept) and after (searcher, hex), which together are the position, limit. kept: gross less gas less the builder payments that are known, over finds with a price; in millionths, so that the order of rows changes nothing.
-- gross_usd and profit_usd are of those finds, null where there are none (their rank is 0); victim_loss_usd is of losses with a price, null where victims have none. losses_unpriced: victims whose loss is not known or has no price.
-- What a find brought, kept or cost counts for 10^24 dollars at most, to either side, in sums of 256 bits: a token may tell any amount, and no number of such finds is to end the list.
-- Sort key: mev (chain, block_number, mev_id).
SELECT concat('0x', lower(hex(m.searcher))) AS searcher, count() AS finds, countIf(m.kind = 'sandwich') AS sandwiches, countIf(m.kind = 'arbitrage') AS arbitrages, countIf(m.kind = 'liquidation') AS liquidations,
  countIf(m.kind = 'jit') AS jit, sum(m.victims) AS victims, countIf(usd IS NULL) AS unpriced, countIf(m.builder_payment IS NULL) AS builder_unknown,
  sum(if(m.victim_loss_usd IS NULL, m.victims, m.victims - m.losses_known)) AS losses_unpriced,
  if(finds = unpriced, NULL, toFloat64(sumIf(toDecimal256(greatest(least(ifNull(m.gross_usd, 0), 1e24), -1e24), 6), usd IS NOT NULL))) AS gross_usd, if(finds = unpriced, NULL, toFloat64(ranked) / 1e6) AS profit_usd,
  if(victims > 0 AND losses_unpriced = victims, NULL, toFloat64(sum(toDecimal256(greatest(least(ifNull(m.victim_loss_usd, 0), 1e24), -1e24), 6)))) AS victim_loss_usd, max(m.block_number) AS last_block, max(m.block_time) AS last_seen,
  toInt256(sum(toDecimal256(greatest(least(ifNull(usd, 0), 1e24), -1e24), 6)) * 1000000) AS ranked, toString(ranked) AS rank
FROM (SELECT *, gross_usd - gas_usd - ifNull(builder_usd, 0) AS usd FROM mev WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64}
  AND ({kind:String} = '' OR toString(kind) = {kind:String}) AND grade IN {grades:Array(String)}) AS m
GROUP BY m.searcher
HAVING ranked < {rank:Int256} OR (ranked = {rank:Int256} AND searcher > {after:String})
ORDER BY ranked DESC, searcher
LIMIT {limit:UInt32}
