-- Just-in-time liquidity: a position is made before a stranger's swap in its pool and taken down after it, in one block. Grain: one leg of a find.
-- Parameters: chain, from, to, generation. Sort keys: logs, swap_legs and transactions (chain, block_number, …).
-- A position is a pool (or a V4 pool's id), an owner and two ticks (and in V4 a salt), and of an owner that works for many the sender. The two transactions must differ and have one sender;
-- else one unlabelled contract owns the position, was called for both and takes down exactly what it made. Both lie around the swap's
-- transaction. Liquidity of 0 is neither made nor taken down: managers burn so much whenever they collect fees of a position that stays (in V4 they change it by 0).
-- What comes back is what the closing transactions collected, or burnt where nothing was collected; V4's event
-- tells no amounts, so there the legs have no tokens. grade: high where one sender takes down what it made, medium else.
-- Revenue is burn + collect - mint, of liquidity that was both made and taken down in the block: where less is taken down than was made, a mint's legs are of that share of it, because
-- what stays is the provider's still and no cost; where more is, what was burnt of liquidity from before does not come back as revenue (fees of that liquidity, which no event tells apart, do).
-- A swap is a stranger's where neither who opens nor who closes sent it; a position that served none is no find.
-- A pool whose positions' changes times its trades are more than 10,000 in a block is left out: each position is looked at with every trade it served, and anybody may fill a pool of his own with both.
-- Anybody may emit V3's events: a V3 pool is one of a known factory's, which a trade of it in the block proved, and an amount from 2^200 on is none; V4's are its manager's own.
-- A position whose amounts of a token add up to 2^127 or more, or whose liquidity to 2^128, is left out: shares are taken of products, which 256 bits must hold.
-- Version 2: version 1 took liquidity of 0 for a burn, and what stayed for a loss. Version 3: version 2 needed no stranger. Version 4: version 3 believed any contract's events, took a stranger's position of the same manager and ticks for the searcher's, and address zero for a contract that a transaction creates.
INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, rule_version, grade, searcher, role, own, position, sub, block_hash, block_time, tx_index, tx_hash, protocol, pool,
  account, token_in, token_in_known, amount_in, token_out, token_out_known, amount_out, loss, loss_reason, generation)
WITH
  toFixedString('', 20) AS zero,
  -- Uniswap's managers of positions own those of everybody, as contracts with a label do: of their positions, each sender's are his own.
  (unhex('c36442b4a4522e871399cd717abdd847ab11fe88'), unhex('bd216513d74c8cf14cf4747e6aaa6420ff64ee9e')) AS managers,
  sent AS MATERIALIZED (
    SELECT block_number AS sent_block, tx_index AS sent_index, from_address AS account, if(creates_contract, contract_address, to_address) AS contract FROM transactions
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  ),
  changed AS (
    SELECT block_number, place, owner, shared, ticks, any(hash) AS hash, any(time) AS time, min(shape) AS v4,
      arraySort(groupArrayIf((log_index, tx_index, tx_hash, liquidity, amount0, amount1), change = 'mint')) AS mints,
      arraySort(groupArrayIf((log_index, tx_index, tx_hash, liquidity, amount0, amount1), change = 'burn')) AS burns,
      groupArrayIf((log_index, tx_index, tx_hash, toInt256(0), amount0, amount1), change = 'collect') AS collects
    FROM (
      SELECT block_number, log_index, tx_index, tx_hash, block_hash AS hash, block_time AS time, event = 'modify' AS shape,
        toFixedString(if(shape, topic1, concat(toFixedString('', 12), address)), 32) AS place, toFixedString(substring(if(shape, topic2, topic1), 13), 20) AS owner,
        owner IN managers OR dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(owner))))) NOT IN ('unknown', 'mev_bot') AS shared, if(shared, account, zero) AS by,
        if(shape, concat(substring(data, 1, 64), substring(data, 97, 32)), concat(topic2, topic3)) AS ticks,
        reinterpretAsInt256(reverse(substring(data, if(shape, 65, if(event = 'mint', 33, 1)), 32))) AS told, if(event = 'collect', toInt256(0), toInt256(abs(told))) AS liquidity,
        multiIf(event = 'collect', 'collect', told = 0, '', NOT shape, event, told > 0, 'mint', 'burn') AS change,
        if(shape, toUInt256(0), reinterpretAsUInt256(reverse(substring(data, if(event = 'mint', 65, 33), 32)))) AS amount0,
        if(shape, toUInt256(0), reinterpretAsUInt256(reverse(substring(data, if(event = 'mint', 97, 65), 32)))) AS amount1
      FROM (
        SELECT *, transform(lower(hex(topic0)), ['7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde', '0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c',
          '70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0', 'f208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'], ['mint', 'burn', 'collect', 'modify'], '') AS event
        FROM logs
        WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
          AND topic0 IN (unhex('7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde'), unhex('0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c'),
            unhex('70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0'), unhex('f208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'))
      ) AS told_by
      INNER JOIN (SELECT sent_block, sent_index, account FROM sent) AS asker ON sent_block = block_number AND sent_index = tx_index
      WHERE greatest(amount0, amount1) < bitShiftLeft(toUInt256(1), 200) AND topic_count = if(shape, 3, 4) AND length(data) = if(event IN ('mint', 'modify'), 128, 96) AND (NOT shape OR address = unhex('000000000004444c5dc75cb358380d2e3de08a90'))
    )
    GROUP BY block_number, place, owner, shared, by, ticks
    HAVING notEmpty(mints) AND notEmpty(burns) AND mints[1].2 < burns[-1].2
      AND greatest(sum(amount0), sum(amount1)) < bitShiftLeft(toUInt256(1), 127) AND sum(liquidity) < bitShiftLeft(toInt256(1), 128)
  ),
  busy AS (
    SELECT block_number AS busy_block, pool AS busy_pool, count() AS trades, max(trusted AND protocol IN ('uniswap_v3', 'sushiswap_v3', 'pancakeswap_v3')) AS genuine FROM swap_legs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT aggregator
    GROUP BY busy_block, busy_pool
  ),
  calm AS (
    SELECT * FROM (SELECT *, sum(length(mints) + length(burns) + length(collects)) OVER (PARTITION BY block_number, place) AS changes FROM changed) AS counted
    INNER JOIN busy ON busy_block = block_number AND busy_pool = place
    WHERE changes * trades <= 10000 AND (v4 OR genuine)
  ),
  served AS (
    SELECT c.*, groupArray((s.log_index, s.tx_index, s.tx_hash, s.protocol, s.token_sold, s.amount_sold, s.token_bought, s.amount_bought, s.token_sold_known AND s.token_bought_known, s.account, s.proved)) AS swaps
    FROM calm AS c
    INNER JOIN (
      SELECT l.log_index AS log_index, l.tx_index AS tx_index, l.tx_hash AS tx_hash, l.protocol AS protocol, l.pool AS pool, l.token_sold AS token_sold, l.amount_sold AS amount_sold, l.token_bought AS token_bought, l.amount_bought AS amount_bought,
        l.token_sold_known AS token_sold_known, l.token_bought_known AS token_bought_known, l.block_number AS swap_block, x.account AS account, l.trusted AS proved
      FROM swap_legs AS l LEFT JOIN sent AS x ON x.sent_block = l.block_number AND x.sent_index = l.tx_index
      WHERE l.chain = {chain:String} AND l.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND l.generation = {generation:UInt32} AND NOT l.aggregator
    ) AS s ON s.swap_block = c.block_number AND s.pool = c.place
    WHERE s.tx_index > c.mints[1].2 AND s.tx_index < c.burns[-1].2
    GROUP BY ALL
  ),
  owned AS (
    SELECT v.*, mints[1].1 AS start, m.account AS opener, m.contract AS called, b.account AS closer, arraySum(l -> l.4, mints) AS minted, arraySum(l -> l.4, burns) AS burnt, minted = burnt AS whole,
      arrayFilter(k -> k.2 >= burns[1].2, collects) AS taken, arrayFilter(s -> s.9 AND (v4 OR s.11), swaps)[1] AS sample, arrayFilter(s -> s.10 != opener AND s.10 != closer, swaps) AS strangers, if(empty(taken), burns, taken) AS closings,
      -- Of each token (place among a leg's fields) what the burns tell of liquidity from before, and all that comes back.
      arrayMap(total -> intDivOrZero(total * toUInt256(greatest(burnt - minted, 0)), toUInt256(burnt)), [arraySum(l -> l.5, burns), arraySum(l -> l.6, burns)]) AS before, [arraySum(l -> l.5, closings), arraySum(l -> l.6, closings)] AS all_back,
      arrayMap(l -> (l.1, l.2, l.3, arrayMap(amount -> if(burnt < minted, intDivOrZero(amount * toUInt256(burnt), toUInt256(minted)), amount), [l.5, l.6])), mints) AS given,
      arrayMap(l -> (l.1, l.2, l.3, arrayMap((amount, extra, total) -> toUInt256(amount - intDivOrZero(amount * least(extra, total), total)), [l.5, l.6], before, all_back)), closings) AS got
    FROM served AS v
    INNER JOIN sent AS m ON m.sent_block = v.block_number AND m.sent_index = v.mints[1].2
    INNER JOIN sent AS b ON b.sent_block = v.block_number AND b.sent_index = v.burns[-1].2
    WHERE notEmpty(strangers) AND (opener = closer OR (NOT shared AND whole AND m.contract = owner AND b.contract = owner))
  )
SELECT {chain:String}, block_number, SHA256(concat('jit|', {chain:String}, '|', lower(hex(hash)), '|', toString(start))), 'jit', 'jit_position', 4,
  if(opener = closer AND whole, 'high', 'medium'), if(dictGet('label_of', 'category', ({chain:String}, concat('0x', lower(hex(called))))) NOT IN ('unknown', 'mev_bot') OR called IN managers, opener, called), leg.1, leg.2, leg.3, leg.4, hash, time, leg.5, leg.6, venue, place,
  if(leg.2, if(leg.1 = 'mint', opener, closer), leg.13), leg.7, leg.8, leg.9, leg.10, leg.11, leg.12, NULL, '', {generation:UInt32}
FROM (
  -- No list goes on beside the legs: it would grow with their square.
  SELECT *, arrayJoin(legs) AS leg, swaps[1].4 AS venue, sample.1 > 0 OR sample.9 AS named, least(sample.5, sample.7) AS token0, greatest(sample.5, sample.7) AS token1,
    arrayConcat(
      -- role, own, position, sub, transaction, what was given, what was received, whose swap
      arrayFlatten([arrayMap(l -> ('mint', true, l.1, toUInt8(0), l.2, l.3, token0, named AND NOT v4, l.4[1], zero, false, toUInt256(0), zero), given),
        arrayMap(l -> ('mint', true, l.1, toUInt8(1), l.2, l.3, token1, named AND NOT v4, l.4[2], zero, false, toUInt256(0), zero), given),
        arrayMap(l -> (if(empty(taken), 'burn', 'collect'), true, l.1, toUInt8(0), l.2, l.3, zero, false, toUInt256(0), token0, named AND NOT v4, l.4[1], zero), got),
        arrayMap(l -> (if(empty(taken), 'burn', 'collect'), true, l.1, toUInt8(1), l.2, l.3, zero, false, toUInt256(0), token1, named AND NOT v4, l.4[2], zero), got)]),
      arrayMap(s -> ('swap', false, s.1, toUInt8(0), s.2, s.3, s.5, s.9, s.6, s.7, s.9, s.8, s.10), strangers)) AS legs
  FROM owned
)
ORDER BY block_number, start, leg.3, leg.4
SETTINGS enable_materialized_cte = 1
