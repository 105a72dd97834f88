-- What went in and out of each exchange by token, on one chain or two; moves between an exchange's own addresses are not in it. An exchange is an entity with a label
-- of that class, and of one name on both chains. Amounts are null where one of the amounts was absurd. *_unknown: what it received on Bitcoin where an input is
-- unresolved, which may be its own change: in no other sum; those columns are not read of a chain of accounts, where they took a seventh of the time.
-- all_*: of every exchange, also of those on other pages. Grain: one exchange, its 20 tokens with the most dollars, below a rank. Parameters: chain, from, to (Unix milliseconds, from at a full hour),
-- the same of the other chain as beside, beside_from, beside_to ('': none), rank (millionths of a dollar that moved, exact in whatever
-- order they are added) and after (the exchange), which together are the position, limit. Sort key: entity_token_segments (chain, entity, hour, token, segment), by entity and hour: each chain is
-- read apart and by the names alone, for which the index then holds. Lines that end in "beside" are left out where there is no other chain: half of it is not planned then.
WITH (SELECT groupUniqArray((toString(d.chain), toString(d.entity))) FROM dictionary(label_of) AS d WHERE d.chain IN ({chain:String}, {beside:String}) AND d.category = 'exchange' AND d.entity != '') AS exchanges
SELECT * EXCEPT (ranked) FROM (
SELECT exchange, toFloat64(sum(f.ins)) AS transfers_in, toFloat64(sum(f.outs)) AS transfers_out, sum(f.usd_ins) AS usd_in, sum(f.usd_outs) AS usd_out, sum(f.usd_ins) - sum(f.usd_outs) AS usd_net, toFloat64(sum(f.blanks)) AS transfers_unknown, sum(f.usd_blanks) AS usd_unknown, sum(sum(f.usd_blanks)) OVER () AS all_unknown, sum(f.moved) AS ranked, toString(ranked) AS rank,
  toFloat64(count()) AS token_count, toFloat64(count() OVER ()) AS all_exchanges, sum(sum(f.usd_ins)) OVER () AS all_in, sum(sum(f.usd_outs)) OVER () AS all_out,
  CAST(arraySlice(arraySort(x -> (-(x.6 + x.7), x.1, x.10), groupArray((f.asset, f.symbol, f.decimals, toString(f.gained), toString(f.lost), f.usd_ins, f.usd_outs, toString(toInt256(f.gained) - toInt256(f.lost)), f.usd_ins - f.usd_outs, f.chain, toString(f.unsure)))), 1, 20),
    'Array(Tuple(token String, token_symbol String, token_decimals Nullable(UInt8), amount_in Nullable(String), amount_out Nullable(String), usd_in Float64, usd_out Float64, amount_net Nullable(String), usd_net Float64, chain String, amount_unknown String))') AS tokens
FROM (
  SELECT s.chain AS chain, s.exchange AS exchange, s.asset AS asset, dictGet('token_of', ('symbol', 'decimals'), (s.chain, s.asset)) AS described, described.1 AS symbol, described.2 AS decimals,
    s.ins AS ins, s.outs AS outs, s.usd_ins AS usd_ins, s.usd_outs AS usd_outs, s.gained AS gained, s.lost AS lost, s.blanks AS blanks, s.usd_blanks AS usd_blanks, s.unsure AS unsure, s.moved AS moved
  FROM (
    SELECT {chain:String} AS chain, h.entity AS exchange, concat('0x', lower(hex(h.token))) AS asset, sum(h.transfers_in) AS ins, sum(h.transfers_out) AS outs, toFloat64(sum(h.usd_in)) AS usd_ins, toFloat64(sum(h.usd_out)) AS usd_outs,
      if(sum(h.oversized) > 0, NULL, sum(h.amount_in)) AS gained, if(sum(h.oversized) > 0, NULL, sum(h.amount_out)) AS lost,
      sum(if({chain:String} = 'BTC', h.transfers_unknown, toUInt64(0))) AS blanks, toFloat64(sum(if({chain:String} = 'BTC', h.usd_unknown, toDecimal256(0, 6)))) AS usd_blanks, sum(if({chain:String} = 'BTC', h.amount_unknown, toUInt256(0))) AS unsure,
      toInt128((sum(h.usd_in) + sum(h.usd_out)) * 1000000) AS moved
    FROM entity_token_segments AS h FINAL
    WHERE h.chain = {chain:String} AND h.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND h.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
      AND h.entity IN (SELECT one.2 FROM (SELECT arrayJoin(exchanges) AS one) WHERE one.1 = {chain:String})
    GROUP BY h.entity, h.token
    HAVING ins + outs + blanks > 0
    UNION ALL -- beside
    SELECT {beside:String} AS chain, h.entity AS exchange, concat('0x', lower(hex(h.token))) AS asset, sum(h.transfers_in) AS ins, sum(h.transfers_out) AS outs, toFloat64(sum(h.usd_in)) AS usd_ins, toFloat64(sum(h.usd_out)) AS usd_outs, -- beside
      if(sum(h.oversized) > 0, NULL, sum(h.amount_in)) AS gained, if(sum(h.oversized) > 0, NULL, sum(h.amount_out)) AS lost, -- beside
      sum(h.transfers_unknown) AS blanks, toFloat64(sum(h.usd_unknown)) AS usd_blanks, sum(h.amount_unknown) AS unsure, -- beside
      toInt128((sum(h.usd_in) + sum(h.usd_out)) * 1000000) AS moved -- beside
    FROM entity_token_segments AS h FINAL -- beside
    WHERE h.chain = {beside:String} AND h.hour >= toStartOfHour(fromUnixTimestamp64Milli({beside_from:Int64} + 1, 'UTC')) AND h.hour <= fromUnixTimestamp64Milli({beside_to:Int64}, 'UTC') -- beside
      AND h.entity IN (SELECT one.2 FROM (SELECT arrayJoin(exchanges) AS one) WHERE one.1 = {beside:String}) -- beside
    GROUP BY h.entity, h.token -- beside
    HAVING ins + outs + blanks > 0 -- beside
  ) AS s
) AS f
GROUP BY exchange
)
WHERE ranked < {rank:Int128} OR (ranked = {rank:Int128} AND exchange > {after:String})
ORDER BY ranked DESC, exchange
LIMIT {limit:UInt32}
SETTINGS optimize_move_to_prewhere_if_final = 1
