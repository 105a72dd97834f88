-- Sandwiches: one party trades in a pool before and after strangers who trade in the direction of its first trade. Grain: one leg of a find.
-- Parameters: chain, from, to, generation. Sort keys: swap_legs and transactions (chain, block_number, …). Tokens must be known.
-- Two trades are one party's if one account sent both (rule sandwich_sender); else if one contract was called for both, or got the first
-- trade's tokens and made the second (rule sandwich_contract). A contract proves little, for anybody may call it: it must be no labelled
-- venue, serve at most two accounts in the pool, and come out even in one token (to 1%) and ahead in the other.
-- A front takes the first back that has a victim before it, and of several in one transaction its own caller's; a back its last front. Pools
-- that share both transactions are one find. A leg is all that one caller traded in a pool in one direction in a transaction: a taxed token
-- that sells for itself in there is another caller. grade: high where one account comes out even and ahead, medium where a contract does, low else.
-- loss: the trades between are played again without the front, on the reserves the depths tell (virtual ones where liquidity is
-- concentrated), as long as each trade fits the one before it.
INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, rule_version, grade, searcher, role, own, position, sub, block_hash, block_time, tx_index, tx_hash, protocol, pool,
  account, token_in, token_in_known, amount_in, token_out, token_out_known, amount_out, loss, loss_reason, generation)
WITH
  toFixedString('', 20) AS zero,
  grouped AS (
    SELECT block_number, pool, any(block_hash) AS hash, any(block_time) AS time, any(protocol) AS venue,
      groupArray(tuple(position, tx_index, tx_hash, token_sold, token_bought, sold, bought, left_sold, left_bought, sender, recipient, account, contract)) AS trades
    FROM (
      SELECT block_number, pool, tx_index, token_sold, token_bought, any(s.block_hash) AS block_hash, any(s.block_time) AS block_time, any(s.tx_hash) AS tx_hash,
        any(s.protocol) AS protocol, s.sender AS sender, min(s.log_index) AS position, sum(s.amount_sold) AS sold, sum(s.amount_bought) AS bought,
        argMax(s.depth_sold, s.log_index) AS left_sold, argMax(s.depth_bought, s.log_index) AS left_bought, any(s.recipient) AS recipient
      FROM swap_legs AS s
      WHERE s.chain = {chain:String} AND s.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND NOT s.aggregator AND s.token_sold_known AND s.token_bought_known
        AND greatest(s.amount_sold, s.amount_bought) < bitShiftLeft(toUInt256(1), 200)
        AND (s.block_number, s.pool) IN (
          SELECT block_number, pool FROM swap_legs
          WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND NOT aggregator AND token_sold_known AND token_bought_known
          GROUP BY block_number, pool HAVING uniqExact(tx_index) >= 3 AND uniqExact(token_sold) >= 2)
      GROUP BY block_number, pool, tx_index, token_sold, token_bought, sender
    ) AS legs
    INNER JOIN (
      SELECT block_number, tx_index, from_address AS account, to_address AS contract FROM transactions
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
    ) AS sent USING (block_number, tx_index)
    GROUP BY block_number, pool
  ),
  paired AS (
    SELECT block_number, pool, hash, time, venue, trades, f, b,
      f.account = b.account AS direct, f.contract = b.contract AS called, if(called OR direct, f.contract, f.recipient) AS hub,
      dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(hub))))) NOT IN ('unknown', 'mev')
        OR arrayUniq(arrayMap(t -> t.account, arrayFilter(t -> t.contract = hub OR t.sender = hub OR t.recipient = hub, trades))) > 2 AS open,
      toInt256(b.bought) - toInt256(f.sold) AS net, toInt256(f.bought) - toInt256(b.sold) AS kept,
      abs(kept) * 100 <= toInt256(f.bought) AND net > 0 OR abs(net) * 100 <= toInt256(f.sold) AND kept > 0 AS even,
      arrayFilter(t -> t.tx_index > f.tx_index AND t.tx_index < b.tx_index AND t.token_sold = f.token_sold
        AND t.account != f.account AND t.account != b.account AND (open OR t.contract != f.contract), trades) AS victims
    FROM (
      SELECT *, arrayFilter(t -> t.tx_index > f.tx_index + 1 AND t.token_sold = f.token_bought AND t.token_bought = f.token_sold
        AND (t.account = f.account OR t.contract = f.contract OR (t.sender = f.recipient AND t.sender != zero)), trades) AS backs
      FROM (SELECT *, arrayJoin(trades) AS f FROM grouped)
      WHERE notEmpty(backs)
    )
    ARRAY JOIN backs AS b
    WHERE notEmpty(victims) AND (direct OR (even AND NOT open))
  ),
  chosen AS (
    SELECT * FROM (SELECT * FROM paired ORDER BY b.tx_index, b.sender != f.sender, b.position LIMIT 1 BY block_number, pool, f.position)
    ORDER BY f.tx_index DESC, b.sender != f.sender, f.position DESC LIMIT 1 BY block_number, pool, b.position
  ),
  -- The trades between as the pool saw them: (position, in the front's direction, what came in, what went out, reserves of the front's sold and
  -- bought token after it). whole: the reserves hold the fee too, and share of 10,000 is what counts for the price.
  lined AS (
    SELECT *, venue LIKE '%v2%' AS whole, toUInt256(multiIf(venue IN ('uniswap_v2', 'sushiswap_v2'), 9970, venue = 'pancakeswap_v2', 9975, 0)) AS share,
      arraySort(l -> l.1, arrayMap(t -> (t.position, t.token_sold = f.token_sold, t.sold, t.bought,
        if(t.token_sold = f.token_sold, t.left_sold, t.left_bought), if(t.token_sold = f.token_sold, t.left_bought, t.left_sold)),
        arrayFilter(t -> t.position > f.position AND t.position < b.position, trades))) AS line,
      arrayPushFront(arrayMap(l -> (l.5, l.6), arrayPopBack(line)), (f.left_sold, f.left_bought)) AS before,
      -- What stood there before the front.
      f.left_bought + f.bought AS y, if(whole, toUInt256(f.left_sold - f.sold), intDivOrZero(f.left_sold * f.left_bought, y)) AS x
    FROM chosen
  ),
  -- Each trade between as (in the front's direction, what came into the reserves, 10,000 times what counts for the price), and whether it fits.
  stepped AS (
    SELECT *, arrayMap((l, p) -> if(l.2, (l.5, p.1), (l.6, p.2)), line, before) AS gains, arrayMap((l, p) -> if(l.2, (p.2, l.6), (p.1, l.5)), line, before) AS falls,
      arrayMap((l, g) -> (l.2, if(whole, l.3, toUInt256(g.1 - g.2)), if(whole, l.3 * share, toUInt256(g.1 - g.2) * 10000)), line, gains) AS steps,
      arrayCumSum(arrayMap((l, g, o) -> toUInt32(NOT (g.1 > g.2 AND g.1 - g.2 <= l.3 AND (g.1 - g.2) * 10 >= l.3 * 9 AND o.1 > o.2
        AND abs(toInt256(o.1) - toInt256(o.2) - toInt256(l.4)) <= intDiv(toInt256(l.4), 1000000) + 2)), line, gains, falls)) AS misfits,
      multiIf(f.left_sold = 0 OR f.left_bought = 0, 'pool_state_unknown', whole AND share = 0, 'fee_unknown',
        f.left_sold <= x OR f.left_sold - x > f.sold OR (f.left_sold - x) * 10 < f.sold * 9, 'liquidity_changed', '') AS unfit,
      arrayFold((s, t) -> (
        if(t.1, s.1 + t.2, toUInt256(s.1 - intDivOrZero(t.3 * s.1, s.2 * 10000 + t.3))), if(t.1, toUInt256(s.2 - intDivOrZero(t.3 * s.2, s.1 * 10000 + t.3)), s.2 + t.2),
        arrayPushBack(s.3, if(t.1, intDivOrZero(t.3 * s.2, s.1 * 10000 + t.3), toUInt256(0)))
      ), if(unfit = '', steps, []), (x, y, CAST([], 'Array(UInt256)'))).3 AS fair
    FROM lined
  ),
  told AS (
    SELECT block_number, hash, time, direct, hub, open, even, f.tx_index AS opens, b.tx_index AS closes, f.position AS first, f.account AS account,
      arrayMap(t -> (
        multiIf(t.position = f.position, 'front', t.position = b.position, 'back', 'victim'), t.position, t.tx_index, t.tx_hash, venue, pool, t.account, t.token_sold, t.sold, t.token_bought, t.bought,
        indexOf(arrayMap(l -> l.1, line), t.position)), arrayConcat([f], victims, [b])) AS legs,
      fair, misfits, unfit
    FROM stepped
  )
SELECT {chain:String}, block_number, SHA256(concat('sandwich|', {chain:String}, '|', lower(hex(hash)), '|', toString(start))), 'sandwich',
  if(direct, 'sandwich_sender', 'sandwich_contract'), 1, multiIf(NOT any_even, 'low', direct, 'high', 'medium'), if(open, account, hub),
  leg.1, leg.1 != 'victim', leg.2, 0, hash, time, leg.3, leg.4, leg.5, leg.6, leg.7, leg.8, true, leg.9, leg.10, true, leg.11,
  if(reason = '' AND leg.1 = 'victim', toUInt256(greatest(toInt256(fair[leg.12]) - toInt256(leg.11), toInt256(0))), NULL), if(leg.1 = 'victim', reason, ''), {generation:UInt32}
FROM (
  SELECT *, arrayJoin(legs) AS leg, min(first) OVER find AS start, max(even) OVER find AS any_even,
    multiIf(unfit != '', unfit, leg.12 > 0 AND misfits[leg.12] > 0, 'liquidity_changed', '') AS reason
  FROM told
  WINDOW find AS (PARTITION BY block_number, opens, closes)
)
ORDER BY block_number, start, leg.2
SETTINGS enable_named_columns_in_function_tuple = 1
