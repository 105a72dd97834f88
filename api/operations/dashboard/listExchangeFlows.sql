-- What went in and out of each exchange by token, on one chain or two; moves between an exchange's own addresses are not in it. Which entities are
-- exchanges was read before (listExchanges.sql); one is of one name on both chains. Amounts are null where one of the amounts was absurd. *_unknown: what it received on Bitcoin where an input is
-- unresolved, which may be its own change: in no other sum; those columns are not read of a chain of accounts, where they took a seventh of the time.
-- *_listed_*: of it, what is the coin's and listed tokens', added up apart: of a token that no list names its own pools say the price. all_*: of every exchange, also of those on other pages. Grain: one exchange, its 20 tokens with the most dollars, below a rank. Parameters: chain, newest (height its span ends at), from, to (Unix
-- milliseconds, from at a full hour), segmentBlocks, exchanges (their names), the same of Bitcoin as btc ('': not asked about), btc_newest, btc_from, btc_to, btc_segmentBlocks, btc_exchanges, rank (millionths of a dollar that moved, of a token 10^24 dollars at most, exact in whatever
-- order they are added) and after (the exchange), which together are the position, limit. Lines that end in a chain's name, or in "both", are left out where it, or one of them, is not asked about: they are not planned then.
-- Sort keys: entity_token_segments (chain, entity, hour, token, segment), by entity and hour, for segments that end by the height: each chain is read apart and by the names alone, for which the index then holds;
-- transfers and btc_entity_nets (chain, block_number, …) for the blocks after them: so the sums are those of the span, whatever has arrived since.
WITH bitShiftLeft(toUInt256(1), 200) AS absurd
  , intDiv({newest:UInt64} + 1, {segmentBlocks:UInt64}) AS tail -- Ethereum
  , intDiv({btc_newest:UInt64} + 1, {btc_segmentBlocks:UInt64}) AS btc_tail -- Bitcoin
SELECT * EXCEPT (ranked) FROM (
SELECT exchange, toFloat64(sum(f.ins)) AS transfers_in, toFloat64(sum(f.outs)) AS transfers_out, sum(f.usd_ins) AS usd_in, sum(f.usd_outs) AS usd_out, sum(f.usd_ins) - sum(f.usd_outs) AS usd_net, sumIf(f.usd_ins, f.listed) AS usd_listed_in, sumIf(f.usd_outs, f.listed) AS usd_listed_out, toFloat64(sum(f.blanks)) AS transfers_unknown, sum(f.usd_blanks) AS usd_unknown, sum(sum(f.usd_blanks)) OVER () AS all_unknown, sum(f.moved) AS ranked, toString(ranked) AS rank,
  toFloat64(count()) AS token_count, toFloat64(count() OVER ()) AS all_exchanges, sum(sum(f.usd_ins)) OVER () AS all_in, sum(sum(f.usd_outs)) OVER () AS all_out, sum(sumIf(f.usd_ins, f.listed)) OVER () AS all_listed_in, sum(sumIf(f.usd_outs, f.listed)) OVER () AS all_listed_out,
  CAST(arraySlice(arraySort(x -> (-(x.6 + x.7), x.1, x.10), groupArray((f.asset, f.symbol, f.decimals, toString(f.gained), toString(f.lost), f.usd_ins, f.usd_outs, toString(toInt256(f.gained) - toInt256(f.lost)), f.usd_ins - f.usd_outs, f.chain, toString(f.unsure), f.listed))), 1, 20),
    'Array(Tuple(token String, token_symbol String, token_decimals Nullable(UInt8), amount_in Nullable(String), amount_out Nullable(String), usd_in Float64, usd_out Float64, amount_net Nullable(String), usd_net Float64, chain String, amount_unknown String, listed Bool))') AS tokens
FROM (
  SELECT s.chain AS chain, s.exchange AS exchange, s.asset AS asset, dictGet('token_of', ('symbol', 'decimals', 'listed'), (s.chain, s.asset)) AS described, described.1 AS symbol, described.2 AS decimals, described.3 OR s.asset = concat('0x', repeat('0', 40)) AS listed,
    s.ins AS ins, s.outs AS outs, s.usd_ins AS usd_ins, s.usd_outs AS usd_outs, s.gained AS gained, s.lost AS lost, s.blanks AS blanks, s.usd_blanks AS usd_blanks, s.unsure AS unsure, s.moved AS moved
  FROM (
    SELECT {chain:String} AS chain, e.entity AS exchange, concat('0x', lower(hex(e.token))) AS asset, sum(e.transfers_in) AS ins, sum(e.transfers_out) AS outs, toFloat64(sum(e.usd_in)) AS usd_ins, toFloat64(sum(e.usd_out)) AS usd_outs, -- Ethereum
      if(sum(e.oversized) > 0, NULL, sum(e.amount_in)) AS gained, if(sum(e.oversized) > 0, NULL, sum(e.amount_out)) AS lost, -- Ethereum
      toUInt64(0) AS blanks, toFloat64(0) AS usd_blanks, toUInt256(0) AS unsure, -- Ethereum
      toInt128(least(sum(e.usd_in) + sum(e.usd_out), toDecimal256('1e24', 6)) * 1000000) AS moved -- Ethereum
    FROM ( -- Ethereum
      SELECT h.entity AS entity, h.token AS token, h.transfers_in AS transfers_in, h.transfers_out AS transfers_out, h.usd_in AS usd_in, h.usd_out AS usd_out, h.amount_in AS amount_in, h.amount_out AS amount_out, h.oversized AS oversized -- Ethereum
      FROM entity_token_segments AS h FINAL -- Ethereum
      WHERE h.chain = {chain:String} AND h.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND h.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC') AND h.segment < tail -- Ethereum
        AND h.entity IN {exchanges:Array(String)} -- Ethereum
      UNION ALL -- Ethereum
      SELECT toLowCardinality(side.1), m.token, toUInt64(side.2 = 'in'), toUInt64(side.2 = 'out'), if(side.2 = 'in', m.usd, 0), if(side.2 = 'out', m.usd, 0), if(side.2 = 'in', m.amount, 0), if(side.2 = 'out', m.amount, 0), m.oversized -- Ethereum
      FROM ( -- Ethereum
        SELECT t.token AS token, if(t.amount < absurd, t.amount, 0) AS amount, toUInt64(t.amount >= absurd) AS oversized, toDecimal256(least(ifNull(t.value_usd, 0), 1e60), 6) AS usd, -- Ethereum
          if(t.from_entity = t.to_entity, [(toString(t.from_entity), 'internal')], [(toString(t.to_entity), 'in'), (toString(t.from_entity), 'out')]) AS sides -- Ethereum
        FROM transfers AS t -- Ethereum
        WHERE t.chain = {chain:String} AND t.block_number BETWEEN tail * {segmentBlocks:UInt64} AND {newest:UInt64} AND t.block_time > fromUnixTimestamp64Milli({from:Int64}) AND (t.from_entity != '' OR t.to_entity != '') -- Ethereum
      ) AS m ARRAY JOIN m.sides AS side -- Ethereum
      WHERE side.1 IN {exchanges:Array(String)} -- Ethereum
    ) AS e -- Ethereum
    GROUP BY e.entity, e.token -- Ethereum
    HAVING ins + outs > 0 -- Ethereum
    UNION ALL -- both
    SELECT {btc:String} AS chain, e.entity AS exchange, concat('0x', lower(hex(e.token))) AS asset, sum(e.transfers_in) AS ins, sum(e.transfers_out) AS outs, toFloat64(sum(e.usd_in)) AS usd_ins, toFloat64(sum(e.usd_out)) AS usd_outs, -- Bitcoin
      if(sum(e.oversized) > 0, NULL, sum(e.amount_in)) AS gained, if(sum(e.oversized) > 0, NULL, sum(e.amount_out)) AS lost, -- Bitcoin
      sum(e.transfers_unknown) AS blanks, toFloat64(sum(e.usd_unknown)) AS usd_blanks, sum(e.amount_unknown) AS unsure, -- Bitcoin
      toInt128((sum(e.usd_in) + sum(e.usd_out)) * 1000000) AS moved -- Bitcoin
    FROM ( -- Bitcoin
      SELECT h.entity AS entity, h.token AS token, h.transfers_in AS transfers_in, h.transfers_out AS transfers_out, h.usd_in AS usd_in, h.usd_out AS usd_out, h.amount_in AS amount_in, h.amount_out AS amount_out, h.oversized AS oversized, -- Bitcoin
        h.transfers_unknown AS transfers_unknown, h.usd_unknown AS usd_unknown, h.amount_unknown AS amount_unknown -- Bitcoin
      FROM entity_token_segments AS h FINAL -- Bitcoin
      WHERE h.chain = {btc:String} AND h.hour >= toStartOfHour(fromUnixTimestamp64Milli({btc_from:Int64} + 1, 'UTC')) AND h.hour <= fromUnixTimestamp64Milli({btc_to:Int64}, 'UTC') AND h.segment < btc_tail -- Bitcoin
        AND h.entity IN {btc_exchanges:Array(String)} -- Bitcoin
      UNION ALL -- Bitcoin
      SELECT n.entity, toFixedString('', 20), toUInt64(n.kind = 'in'), toUInt64(n.kind = 'out'), if(n.kind = 'in', toDecimal256(ifNull(n.value_usd, 0), 6) AS usd, 0), if(n.kind = 'out', usd, 0), if(n.kind = 'in', toUInt256(abs(n.net)), 0), if(n.kind = 'out', toUInt256(abs(n.net)), 0), toUInt64(0), -- Bitcoin
        toUInt64(n.kind = 'unknown'), if(n.kind = 'unknown', usd, 0), if(n.kind = 'unknown', toUInt256(n.received), 0) -- Bitcoin
      FROM btc_entity_nets AS n -- Bitcoin
      WHERE n.chain = {btc:String} AND n.block_number BETWEEN btc_tail * {btc_segmentBlocks:UInt64} AND {btc_newest:UInt64} AND n.block_time > fromUnixTimestamp64Milli({btc_from:Int64}) -- Bitcoin
        AND n.entity IN {btc_exchanges:Array(String)} -- Bitcoin
    ) AS e -- Bitcoin
    GROUP BY e.entity, e.token -- Bitcoin
    HAVING ins + outs + blanks > 0 -- Bitcoin
  ) AS s
) AS f
GROUP BY exchange
)
WHERE ranked < {rank:Int128} OR (ranked = {rank:Int128} AND exchange > {after:String})
ORDER BY ranked DESC, exchange
LIMIT {limit:UInt32}
SETTINGS optimize_move_to_prewhere_if_final = 1
