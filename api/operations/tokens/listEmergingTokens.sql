-- New tokens that gain momentum, scored 0 to 1 as of one block. New: the first pool of a known factory was made in sight, in the last 30 days, and no
-- bundled list names the token. What counts, to the gates as to the parts, are trades against the chain's coin and listed tokens (sure): what is given in a token that no list names has the price that its maker's pool says. That one trades both ways, at once or as wash, any trade shows. A price from before that, which only a pool of a known factory with depth gives, shows that it was not the first: how old the token is nobody knows then. Each part is set against tokens of the same age (under 1 day, 7 days, 30 days), as 1 / (1 + exp(-1.702 z)); smart money
-- are leaders of the boards then in force who bought more than they sold; where there was none, weights are of 0.85 without it. Gates: a symbol that does not look like that of a listed token (other scripts, marks, what shows as nothing and case aside), $25,000 of liquidity, 30 buyers, 10 sellers, 30 minutes of age. The sum is lessened by the share of
-- wash trades and by concentration (the ten largest buyers above half of what was bought). Wash is what one trader did in 10 round trips and more, $10,000, 95 % matched;
-- and what a circle of traders did together, $10,000 and 99 % matched: two or three who handed the token round within the span (A to B to A, A to B to C to A). An address of
-- several circles counts with the one of the least address; components of more than three without such a circle in them, what goes round over more than the six hours or
-- through addresses that do not trade, and common funders are not looked for.
-- What one trader bought and sold in one transaction is arbitrage and left out, and so are transactions that are arbitrage or the searcher's own legs of a sandwich by mev_legs, of whatever grade: bots that trade round trips
-- look like wash traders. They count as no buyers and no volume either, so that nobody gains by looking like one; what pools held and the price are of all trades. A sandwich's victims count. Shares are held to 1: sums of floats in another order may come to a little more than all.
-- Grain: one token. Parameters: chain, first, newest (heights of the six hours), to (Unix milliseconds), min_score, rank (billionths of the score) and after (hex without 0x), which together are the position, limit, alike and latin (letters, and what each looks like).
-- Sort key: swaps and swap_legs (chain, block_number, log_index), mev_legs (chain, block_number, mev_id, …) and transfers (chain, block_number, …), by both heights; pool_sightings is read by its columns, once; prices (chain, token, block_number), by young tokens; leader_runs and leaders (chain, in_force_from, …).
WITH
  fromUnixTimestamp64Milli({to:Int64}, 'UTC') AS now_then,
  -- Of a symbol of marks alone nothing is left, as of no symbol: such a one looks like itself and nothing else. The tugrik's sign is a t, as in getToken.sql.
  (SELECT groupUniqArray(if(looks = '', own, looks)) FROM (SELECT symbol AS own, replaceOne(lowerUTF8(replaceRegexpAll(own, '[^\\p{L}\\p{N}$€₮]', '')), '₮', 't') AS looks FROM tokens FINAL WHERE chain = {chain:String} AND source != 'node' AND symbol != '')) AS taken,
  (SELECT tuple(count(), max((r.in_force_from, r.as_of, r.rule_version, toString(r.rule)))) FROM leader_runs AS r WHERE r.chain = {chain:String} AND r.in_force_from <= {newest:UInt64}) AS board,
  (x, y, part) -> x + y >= 10000 AND 2 * least(x, y) >= part * (x + y) AS matched,
  board.1 > 0 AS has_board, if(has_board, [0.25, 0.20, 0.15, 0.15, 0.10, 0.15], arrayMap(weight -> weight / 0.85, [0.25, 0.20, 0.15, 0.15, 0.10, 0])) AS weights,
  young AS MATERIALIZED (
    SELECT arrayJoin(g.tokens) AS asset, min(g.block_time) AS born FROM pool_sightings AS g
    WHERE g.chain = {chain:String} AND g.source = 'created' AND g.trusted AND g.block_number <= {newest:UInt64}
    GROUP BY asset HAVING born > now_then - INTERVAL 30 DAY
  ),
  trades AS (
    SELECT side.1 AS asset, side.2 AS bought, side.3 AS amount, s.trader AS trader, s.tx_hash AS tx, s.pool AS pool, (s.block_number, s.log_index) AS place,
      s.block_time > now_then - INTERVAL 1 HOUR AS late, assumeNotNull(s.value_usd) AS usd, if(side.4 > 0, toFloat64(side.5) / toFloat64(side.4) * usd * 2, 0) AS depth,
      side.6 = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(side.6))))) AS sure
    FROM swaps AS s
    INNER JOIN (
      SELECT l.block_number AS n, l.log_index AS i, l.depth_sold AS depth_sold, l.depth_bought AS depth_bought FROM swap_legs AS l
      WHERE l.chain = {chain:String} AND l.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND l.trusted AND NOT l.aggregator
    ) AS d ON d.n = s.block_number AND d.i = s.log_index
    ARRAY JOIN [(s.token_bought, 1, s.amount_bought, s.amount_sold, d.depth_sold, s.token_sold), (s.token_sold, 0, s.amount_sold, s.amount_bought, d.depth_bought, s.token_bought)] AS side
    WHERE s.chain = {chain:String} AND s.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND s.trusted AND NOT s.aggregator AND s.token_sold_known AND s.token_bought_known AND s.value_usd > 0
      AND side.1 IN (SELECT asset FROM young) AND dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(side.1))))) = 0
  ),
  wallets_of AS (
    SELECT asset, trader, sum(gained) AS buy_usd, sum(lost) AS sell_usd, sum(late_gained) AS late_buy, sum(late_lost) AS late_sell, countIf(gained > 0) AS buys, countIf(lost > 0) AS sells,
      countIf(late_gained > 0) > 0 AS buys_late, countIf(any_gained > any_late) = 0 AS is_fresh, sum(any_gained) AS any_buy, sum(any_lost) AS any_sell, countIf(any_gained > 0) AS any_buys, countIf(any_lost > 0) AS any_sells
    FROM (
      SELECT asset, trader, tx, sumIf(usd, sure AND bought = 1) AS gained, sumIf(usd, sure AND bought = 0) AS lost, sumIf(usd, sure AND bought = 1 AND late) AS late_gained, sumIf(usd, sure AND bought = 0 AND late) AS late_lost,
        sumIf(usd, bought = 1) AS any_gained, sumIf(usd, bought = 0) AS any_lost, sumIf(usd, bought = 1 AND late) AS any_late
      FROM trades
      WHERE tx NOT IN (SELECT e.tx_hash FROM mev_legs AS e WHERE e.chain = {chain:String} AND e.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND e.own AND e.kind IN ('sandwich', 'arbitrage'))
      GROUP BY asset, trader, tx HAVING NOT (any_gained > 0 AND any_lost > 0)
    ) GROUP BY asset, trader
  ),
  handed AS (
    SELECT DISTINCT t.token AS asset, t.from_address AS giver, t.to_address AS taker FROM transfers AS t
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN {first:UInt64} AND {newest:UInt64} AND t.kind = 'erc20' AND t.from_address != t.to_address AND t.token IN (SELECT asset FROM young)
      AND t.from_address IN (SELECT trader FROM swaps WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64})
      AND t.to_address IN (SELECT trader FROM swaps WHERE chain = {chain:String} AND block_number BETWEEN {first:UInt64} AND {newest:UInt64})
  ),
  circles AS (
    SELECT asset, arrayJoin(members) AS member, min(arrayMin(members)) AS head
    FROM (
      SELECT h.asset AS asset, if(k.taker = h.giver, [h.giver, h.taker], [h.giver, h.taker, k.taker]) AS members
      FROM handed AS h INNER JOIN handed AS k ON k.asset = h.asset AND k.giver = h.taker
      WHERE (k.asset, k.taker, h.giver) IN (SELECT asset, giver, taker FROM handed) OR k.taker = h.giver
    )
    GROUP BY asset, member
  ),
  circled AS (
    SELECT v.*, count() OVER circle AS together, sum(buy_usd) OVER circle AS all_bought, sum(sell_usd) OVER circle AS all_sold, sum(any_buy) OVER circle AS any_bought, sum(any_sell) OVER circle AS any_sold
    FROM (SELECT w.*, if(c.head = toFixedString('', 20), w.trader, c.head) AS head FROM wallets_of AS w LEFT JOIN circles AS c ON c.asset = w.asset AND c.member = w.trader) AS v
    WINDOW circle AS (PARTITION BY v.asset, v.head)
  ),
  tokens_of AS (
    SELECT w.asset AS asset, countIf(buys > 0) AS buyers, countIf(sells > 0) AS sellers, countIf(buys_late) AS late_buyers, countIf(buys_late AND is_fresh) AS fresh,
      countIf(buy_usd > sell_usd AND w.trader IN (SELECT l.account FROM leaders AS l WHERE l.chain = {chain:String} AND l.in_force_from = board.2.1 AND l.as_of = board.2.2 AND l.rule_version = board.2.3 AND l.rule = board.2.4)) AS leading, sum(buy_usd + sell_usd) AS volume,
      sum(late_buy + late_sell) AS late_volume, sum(late_buy) - sum(late_sell) AS late_net,
      least(1, sumIf(buy_usd + sell_usd, least(buys, sells) >= 10 AND matched(buy_usd, sell_usd, 0.95) OR least(any_buys, any_sells) >= 10 AND matched(any_buy, any_sell, 0.95)
        OR together > 1 AND (matched(all_bought, all_sold, 0.99) OR matched(any_bought, any_sold, 0.99))) / sum(buy_usd + sell_usd)) AS wash,
      least(1, arraySum(arraySlice(arrayReverseSort(groupArray(buy_usd)), 1, 10)) / greatest(sum(buy_usd), 1e-9)) AS largest
    FROM circled AS w GROUP BY w.asset HAVING volume > 0
  ),
  depths AS (
    SELECT asset, sum(last_depth) AS liquidity, sum(first_depth) AS liquidity_before, argMax(last_price, last_place) AS price
    FROM (
      SELECT t.asset AS asset, argMax(t.depth, t.place) AS last_depth, argMin(t.depth, t.place) AS first_depth, max(t.place) AS last_place, argMax(t.usd / greatest(toFloat64(t.amount), 1e-300), t.place) AS last_price
      FROM trades AS t WHERE t.sure GROUP BY t.asset, t.pool
    ) GROUP BY asset
  ),
  raw AS (
    SELECT k.asset AS asset, k.* EXCEPT (asset), y.born AS born, e.liquidity AS liquidity, e.price AS price, dateDiff('second', y.born, now_then) AS age, multiIf(age < 86400, 1, age < 604800, 2, 3) AS bucket,
      [log((k.late_buyers + 1) / (k.buyers / 6 + 1)), log((k.late_volume + 1) / (k.volume / 6 + 1)), if(e.liquidity > 0, k.late_net / e.liquidity, 0), log(1 + k.fresh),
        if(e.liquidity > 0 AND e.liquidity_before > 0, log(e.liquidity / e.liquidity_before), 0), log(1 + k.leading)] AS signals
    FROM tokens_of AS k INNER JOIN young AS y ON y.asset = k.asset INNER JOIN depths AS e ON e.asset = k.asset
    LEFT JOIN (
      SELECT p.token AS asset, min(p.block_time) AS seen FROM prices AS p WHERE p.chain = {chain:String} AND p.token IN (SELECT asset FROM young) AND p.block_number <= {newest:UInt64} GROUP BY p.token
    ) AS o ON o.asset = k.asset
    WHERE o.asset != k.asset OR o.seen >= y.born
  )
SELECT concat('0x', lower(hex(asset))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS symbol, described.2 AS decimals,
  arrayMap((x, m, d) -> if(d > 0, 1 / (1 + exp(-1.702 * (x - m) / d)), 0.5), signals, means, spreads) AS parts,
  least(1, greatest(0, arraySum(arrayMap((part, weight) -> part * weight, parts, weights)) * (1 - wash) * (1 - greatest(0, largest - 0.5) / 0.5))) AS score,
  wash AS wash_share, largest AS top10_buyers_share, born AS first_pool_at, toFloat64(age) / 3600 AS age_hours, liquidity AS liquidity_usd, late_volume AS volume_usd_1h, volume AS volume_usd_6h,
  toFloat64(late_buyers) AS buyers_1h, toFloat64(buyers) AS buyers_6h, toFloat64(sellers) AS sellers_6h, toFloat64(fresh) AS new_buyers_1h, if(isNull(decimals), NULL, price * pow(10, assumeNotNull(decimals))) AS price_usd,
  has_board AS smart_known, toFloat64(leading) AS leaders_buying, now_then AS scored_at, toInt128(round(score * 1e9)) AS ranked, toString(ranked) AS rank
FROM (
  SELECT *, [avg(signals[1]) OVER (PARTITION BY bucket), avg(signals[2]) OVER (PARTITION BY bucket), avg(signals[3]) OVER (PARTITION BY bucket), avg(signals[4]) OVER (PARTITION BY bucket), avg(signals[5]) OVER (PARTITION BY bucket), avg(signals[6]) OVER (PARTITION BY bucket)] AS means,
    [stddevPop(signals[1]) OVER (PARTITION BY bucket), stddevPop(signals[2]) OVER (PARTITION BY bucket), stddevPop(signals[3]) OVER (PARTITION BY bucket), stddevPop(signals[4]) OVER (PARTITION BY bucket), stddevPop(signals[5]) OVER (PARTITION BY bucket), stddevPop(signals[6]) OVER (PARTITION BY bucket)] AS spreads
  FROM raw
)
WHERE NOT has(taken, if((replaceOne(lowerUTF8(replaceRegexpAll(translateUTF8(normalizeUTF8NFKD(translateUTF8(dictGet('token_of', 'symbol', ({chain:String}, concat('0x', lower(hex(asset))))), {alike:String}, {latin:String})), {alike:String}, {latin:String}), '[^\\p{L}\\p{N}$€₮]|[\\x{115F}\\x{1160}]', '')), '₮', 't') AS looks) = '', dictGet('token_of', 'symbol', ({chain:String}, concat('0x', lower(hex(asset))))), looks))
  AND liquidity >= 25000 AND buyers >= 30 AND sellers >= 10 AND age >= 1800 AND score >= {min_score:Float64}
  AND (ranked < {rank:Int128} OR (ranked = {rank:Int128} AND asset > toFixedString(unhex({after:String}), 20)))
ORDER BY ranked DESC, asset
LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
