-- Sandwiches: one party trades in a pool before and after strangers who trade in the direction of its first trade. Grain: one leg of a find.
-- Parameters: chain, from, to, generation. Sort keys: swap_legs and transactions (chain, block_number, …). Tokens must be known.
-- Two trades are one party's if one account sent both (rule sandwich_sender); else if one contract was called for both, or got the first
-- trade's tokens and made the second (rule sandwich_contract). A contract proves little, for anybody may call it: it must be no labelled
-- venue, serve at most two accounts in the pool, and come out even in one token (to 1%) and ahead in the other.
-- Where inner calls are known and neither holds, who got the first trade's tokens and himself calls the pool for the second is one party, whatever
-- it earned (rule sandwich_trace): victims are those between whose trades another calls. It may be anybody's router, so its grade is low.
-- Two transactions that are each an arbitrage of its own, all trades known, are no such pair: the first holds nothing for the second to sell.
-- A front takes the first back that has a victim before it, and of several in one transaction its own caller's; a back its last front. Pools
-- that share both transactions are one find. A leg is all that one caller traded in a pool in one direction in a transaction: a taxed token
-- that sells for itself in there is another caller. grade: high where one account comes out even and ahead, medium where a contract does, low else.
-- Pairs of one pool and direction that share both transactions have one victim each of those between, whoever of them got at him.
-- loss: the trades between are played again without the fronts, on the reserves the depths tell (virtual ones where liquidity is
-- concentrated), as long as each trade fits the one before it.
-- A transaction that creates a contract calls that one. Version 2: version 1 took address zero for it, and all such transactions for one party's.
-- Version 3: by version 2 two arbitrages through one pool were a sandwich of rule sandwich_trace.
-- A pool with more than 200 trades in a block is left out: fronts and backs are tried with all trades beside them, which grows with the third power, and anybody may fill a pool of his own.
INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, rule_version, grade, searcher, role, own, position, sub, block_hash, block_time, tx_index, tx_hash, protocol, pool,
  account, token_in, token_in_known, amount_in, token_out, token_out_known, amount_out, loss, loss_reason, generation)
WITH
  grouped AS (
    SELECT block_number, pool, any(block_hash) AS hash, any(block_time) AS time, any(protocol) AS venue,
      groupArray(CAST((position, tx_index, tx_hash, token_sold, token_bought, sold, bought, left_sold, left_bought, sender, recipient, account, contract),
        'Tuple(position UInt32, tx_index UInt32, tx_hash FixedString(32), token_sold FixedString(20), token_bought FixedString(20), sold UInt256, bought UInt256, left_sold UInt256, left_bought UInt256,
          sender FixedString(20), recipient FixedString(20), account FixedString(20), contract FixedString(20))')) AS trades
    FROM (
      SELECT block_number, pool, tx_index, token_sold, token_bought, sender, any(s.block_hash) AS block_hash, any(s.block_time) AS block_time, any(s.tx_hash) AS tx_hash,
        any(s.protocol) AS protocol, min(s.log_index) AS position, sum(s.amount_sold) AS sold, sum(s.amount_bought) AS bought,
        argMax(s.depth_sold, s.log_index) AS left_sold, argMax(s.depth_bought, s.log_index) AS left_bought, any(s.recipient) AS recipient
      FROM swap_legs AS s
      WHERE s.chain = {chain:String} AND s.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND s.generation = {generation:UInt32} AND NOT s.aggregator AND s.token_sold_known AND s.token_bought_known
        AND greatest(s.amount_sold, s.amount_bought) < bitShiftLeft(toUInt256(1), 200)
        AND (s.block_number, s.pool) IN (
          SELECT block_number, pool FROM swap_legs
          WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT aggregator AND token_sold_known AND token_bought_known
          GROUP BY block_number, pool HAVING uniqExact(tx_index) >= 3 AND uniqExact(token_sold) >= 2)
      GROUP BY block_number, pool, tx_index, token_sold, token_bought, sender
    ) AS legs
    INNER JOIN (
      SELECT block_number, tx_index, from_address AS account, if(creates_contract, contract_address, to_address) AS contract FROM transactions
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
    ) AS sent USING (block_number, tx_index)
    GROUP BY block_number, pool
    HAVING count() <= 200
  ),
  paired AS (
    SELECT block_number, pool, hash, time, venue, trades, f, b, f.account = b.account AS direct, if(direct OR f.contract = b.contract, f.contract, f.recipient) AS hub,
      toInt256(b.bought) - toInt256(f.sold) AS net, toInt256(f.bought) - toInt256(b.sold) AS kept
    FROM (
      SELECT *, arrayJoin(backs) AS b FROM (
        SELECT *, arrayFilter(t -> t.tx_index > f.tx_index + 1 AND t.token_sold = f.token_bought AND t.token_bought = f.token_sold
          AND (t.account = f.account OR t.contract = f.contract OR (t.sender = f.recipient AND t.sender != toFixedString('', 20))), trades) AS backs
        FROM (SELECT *, arrayJoin(trades) AS f FROM grouped)
      )
    )
  ),
  -- Transactions whose trades go round and leave something over, as arbitrages.sql has them (wrapped coin counts as coin), where all their tokens are known.
  rounds AS MATERIALIZED (
    SELECT block_number, tx_index FROM (
      SELECT block_number, tx_index, if(flow.1 = toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20), toFixedString('', 20), flow.1) AS token,
        sum(flow.2) AS net, sum(abs(flow.2)) AS moved, uniqExact(flow.3) = 2 AS both_ways, min(token_sold_known AND token_bought_known) AS named, uniqExact(pool) AS pools
      FROM swap_legs ARRAY JOIN [(token_sold, -toInt256(amount_sold), false), (token_bought, toInt256(amount_bought), true)] AS flow
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT aggregator AND greatest(amount_sold, amount_bought) < bitShiftLeft(toUInt256(1), 200)
      GROUP BY block_number, tx_index, token
    )
    GROUP BY block_number, tx_index
    HAVING min(named) AND min(both_ways) AND max(pools) >= 2 AND max(net) > 0 AND min(net * -200 <= moved)
  ),
  judged AS (
    SELECT *, dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(hub))))) NOT IN ('unknown', 'mev_bot')
        OR arrayUniq(arrayMap(t -> t.account, arrayFilter(t -> hub IN (t.contract, t.sender, t.recipient), trades))) > 2 AS open,
      abs(kept) * 100 <= toInt256(f.bought) AND net > 0 OR abs(net) * 100 <= toInt256(f.sold) AND kept > 0 AS even, direct OR (even AND NOT open) AS proved,
      b.sender = f.recipient AND f.recipient != toFixedString('', 20)
        AND dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(f.recipient))))) IN ('unknown', 'mev_bot')
        AND block_number IN (SELECT block_number FROM blocks WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND internal_complete)
        AND NOT ((block_number, f.tx_index) IN (SELECT block_number, tx_index FROM rounds) AND (block_number, b.tx_index) IN (SELECT block_number, tx_index FROM rounds)) AS traced
    FROM paired
  ),
  chosen AS (
    SELECT * FROM (
      SELECT * FROM (
        SELECT *, arrayFilter(t -> t.tx_index > f.tx_index AND t.tx_index < b.tx_index AND t.token_sold = f.token_sold
          AND if(proved, t.account != f.account AND t.account != b.account AND (open OR t.contract != f.contract), t.sender != f.recipient), trades) AS victims
        FROM judged WHERE proved OR traced
      )
      WHERE notEmpty(victims)
      ORDER BY proved DESC, b.tx_index, b.sender != f.sender, b.position LIMIT 1 BY block_number, pool, f.position
    )
    ORDER BY proved DESC, f.tx_index DESC, b.sender != f.sender, f.position DESC LIMIT 1 BY block_number, pool, b.position
  ),
  -- Pairs that share a pool, a direction and both transactions: (front, back, hub, open, proved), the earliest front first.
  met AS (
    SELECT block_number, pool, any(c.hash) AS hash, any(c.time) AS time, any(c.venue) AS venue, any(c.trades) AS trades, any(c.direct) AS direct, max(c.even) AS even, max(c.proved) AS proved,
      arraySort(p -> tupleElement(p.1, 'position'), groupArray((c.f, c.b, c.hub, c.open, c.proved))) AS pairs, pairs[1].1 AS f, pairs[1].2 AS b,
      arrayMap(p -> tupleElement(p.1, 'position'), pairs) AS fronts, groupUniqArrayArray(c.victims) AS victims
    FROM chosen AS c
    GROUP BY block_number, pool, tupleElement(c.f, 'tx_index'), tupleElement(c.b, 'tx_index'), tupleElement(c.f, 'token_sold')
  ),
  -- The trades between as the pool saw them: (position, in the front's direction, what came in, what went out, reserves of the front's sold and
  -- bought token after it), and what stood there before the front. whole: the reserves hold the fee too, and share of 10,000 is what counts for the price.
  lined AS (
    SELECT *, venue LIKE '%v2%' AS whole, toUInt256(multiIf(venue IN ('uniswap_v2', 'sushiswap_v2'), 9970, venue = 'pancakeswap_v2', 9975, 0)) AS share, f.left_bought + f.bought AS y,
      arraySort(l -> l.1, arrayMap(t -> if(t.token_sold = f.token_sold, (t.position, true, t.sold, t.bought, t.left_sold, t.left_bought), (t.position, false, t.sold, t.bought, t.left_bought, t.left_sold)),
        arrayFilter(t -> t.position > f.position AND t.position < b.position, trades))) AS line
    FROM met
  ),
  faced AS (
    SELECT *, arrayPushFront(arrayMap(l -> (l.5, l.6), arrayPopBack(line)), (f.left_sold, f.left_bought)) AS before,
      if(whole, toUInt256(f.left_sold - f.sold), intDivOrZero(f.left_sold * f.left_bought, y)) AS x
    FROM lined
  ),
  -- Each trade between: what came into the reserves, what left them.
  told AS (
    SELECT *, arrayMap((l, p) -> if(l.2, (toUInt256(l.5 - p.1), toUInt256(p.2 - l.6)), (toUInt256(l.6 - p.2), toUInt256(p.1 - l.5))), line, before) AS flows,
      multiIf(f.left_sold = 0 OR f.left_bought = 0, 'pool_state_unknown', whole AND share = 0, 'fee_unknown',
        f.left_sold <= x OR f.left_sold - x > f.sold OR (f.left_sold - x) * 10 < f.sold * 9, 'liquidity_changed', '') AS unfit
    FROM faced
  ),
  -- Steps of the replay: (in the front's direction, what comes in, 10,000 times what counts of it): nothing of another front. A flow that wrapped is larger than what came in.
  stepped AS (
    SELECT *, arrayCumSum(arrayMap((l, g) -> toUInt32(g.1 > l.3 OR g.1 * 10 < l.3 * 9 OR abs(toInt256(g.2) - toInt256(l.4)) > intDiv(toInt256(l.4), 1000000) + 2), line, flows)) AS misfits,
      if(unfit != '', [], arrayMap((l, g) -> if(has(fronts, l.1), (l.2, toUInt256(0), toUInt256(0)), (l.2, if(whole, l.3, g.1), if(whole, l.3 * share, g.1 * 10000))), line, flows)) AS steps
    FROM told
  ),
  -- What each would have got: (reserves, and what went out so far).
  replayed AS (
    SELECT block_number, hash, time, venue, pool, direct, even, proved, pairs, f, b, victims, unfit, misfits, arrayMap(l -> l.1, line) AS places,
      arrayFold((s, t) -> if(t.1, (s.1 + t.2, toUInt256(s.2 - intDivOrZero(t.3 * s.2, s.1 * 10000 + t.3)), arrayPushBack(s.3, intDivOrZero(t.3 * s.2, s.1 * 10000 + t.3))),
        (toUInt256(s.1 - intDivOrZero(t.3 * s.1, s.2 * 10000 + t.3)), s.2 + t.2, arrayPushBack(s.3, toUInt256(0)))), steps, (x, y, CAST([], 'Array(UInt256)'))).3 AS fair
    FROM stepped
  ),
  legs AS (
    SELECT block_number, hash, time, venue, pool, direct, unfit, misfits, fair, min(f.position) OVER find AS start, max(even) OVER find AS balanced, max(proved) OVER find AS sure,
      arrayJoin(arrayConcat(arrayMap(p -> (p.1, p, 'front'), pairs), arrayMap(v -> (v, pairs[1], 'victim'), victims), arrayMap(p -> (p.2, p, 'back'), pairs))) AS told, told.1 AS leg, told.3 AS role,
      multiIf(NOT told.2.5, tupleElement(told.2.1, 'recipient'), told.2.4, tupleElement(told.2.1, 'account'), told.2.3) AS party, indexOf(places, leg.position) AS place
    FROM replayed
    WINDOW find AS (PARTITION BY block_number, f.tx_index, b.tx_index)
  ),
  roles AS (SELECT *, multiIf(unfit != '', unfit, place > 0 AND misfits[place] > 0, 'liquidity_changed', '') AS reason FROM legs)
SELECT {chain:String}, block_number, SHA256(concat('sandwich|', {chain:String}, '|', lower(hex(hash)), '|', toString(start))), 'sandwich',
  multiIf(direct, 'sandwich_sender', sure, 'sandwich_contract', 'sandwich_trace'), 3, multiIf(NOT balanced OR NOT sure, 'low', direct, 'high', 'medium'), party,
  role, role != 'victim', leg.position, 0, hash, time, leg.tx_index, leg.tx_hash, venue, pool, leg.account, leg.token_sold, true, leg.sold, leg.token_bought, true, leg.bought,
  if(role = 'victim' AND reason = '', if(fair[place] > leg.bought, toUInt256(fair[place] - leg.bought), toUInt256(0)), NULL), if(role = 'victim', reason, ''), {generation:UInt32}
FROM roles
ORDER BY block_number, start, leg.position
SETTINGS enable_materialized_cte = 1
