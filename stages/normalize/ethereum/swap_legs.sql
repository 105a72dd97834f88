-- Legs of swaps of every known protocol. Grain: one swap event. Parameters: chain, from, to, generation.
-- Reads logs and movements by their sort keys (chain, block_number). A log that does not fit its event to the byte is left out.
-- layouts says where an event keeps its fields, in 32-byte words of topic1, topic2, topic3 and the data after them (word 3 is the first of
-- the data); -1: it does not say. Events of pairs (v2, v3, v4) give what two tokens gained or lost, token0 being the smaller address.
-- Tokens an event does not name: a pair's are those moved by the pool in that transaction whose CREATE2 address (V2, V3) or id (V4) is the
-- pool's; where none fits, the single token whose movement has exactly the amount, untrusted; a pool of another kind that moved the coin and wrapped coin in that amount wrapped or unwrapped, and traded wrapped coin. Nothing outside the transaction has a say.
-- Curve's metapools hand trades between coins of their base pool on to it, and tell of them too: those are the base pool's alone, where what was sold moved there.
-- Anybody can emit any event: one about a pool of a single contract (a vault, V4's manager) counts from there alone, and a token that any other
-- contract names than the one believed is known where it moved exactly that amount of it.
-- Steps are small on purpose, and constants are columns: the server analyses an expression anew wherever it is named.
INSERT INTO swap_legs
WITH
  toFixedString('', 12) AS pad, toFixedString('', 20) AS zero, toUInt256('79228162514264337593543950336') AS q96,
  known AS (
    SELECT
      -- Known factories: protocol, factory, hash of the pools' code, fee as a word. Pools of Pancake V3 are made by its deployer.
      arrayMap(d -> (d.1, toFixedString(unhex(d.2), 20), unhex(d.3)), [
        ('uniswap_v2', '5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', '96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'),
        ('sushiswap_v2', 'c0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac', 'e18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303'),
        ('pancakeswap_v2', '1097053fd2ea711dad45caccc45eff7548fcb362', '57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d')]) AS v2,
      arrayFlatten(arrayMap(d -> arrayMap(fee -> (d.1, toFixedString(unhex(d.2), 20), unhex(d.3), unhex(leftPad(hex(fee), 64, '0'))), [100, 500, 3000, 10000]), [
        ('uniswap_v3', '1f98431c8ad98523631ae4a59f267346ea31f984', 'e34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54'),
        ('sushiswap_v3', 'baceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f', 'e34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54')])) AS v3,
      arrayMap(fee -> ('pancakeswap_v3', toFixedString(unhex('0bfbcf9fa4f9c56b0f40a671ad40e0805a091865'), 20),
        unhex('6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2'), unhex(leftPad(hex(fee), 64, '0'))), [100, 500, 2500, 10000]) AS p3,
      -- Spacings of ticks, and fee with spacing, of V4 pools without hooks.
      arrayMap(step -> unhex(leftPad(hex(step), 64, '0')), [1, 10, 60, 200]) AS steps,
      arrayMap(k -> unhex(concat(leftPad(hex(k.1), 64, '0'), leftPad(hex(k.2), 64, '0'))), [(100, 1), (500, 10), (3000, 60), (10000, 200)]) AS v4
  ),
  -- topic0, protocol, shape, topics, bytes of data, sold token, bought token, sold amount, bought amount, sender, recipient, believed emitter
  layouts AS (
    SELECT toFixedString(unhex(topic), 32) AS event, * EXCEPT (topic, by), unhex(by) AS emitter
    FROM format(Values, 'topic String, protocol String, shape String, topics UInt8, bytes UInt16, sold_token_at Int8, bought_token_at Int8, sold_at Int8, bought_at Int8, sender_at Int8, recipient_at Int8, by String', $$
('d78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822', 'v2_fork', 'v2', 3, 128, -1, -1, 3, 4, 0, 1, ''),
('c42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67', 'v3_fork', 'v3', 3, 160, -1, -1, 3, 4, 0, 1, ''),
('19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83', 'v3_fork', 'p3', 3, 224, -1, -1, 3, 4, 0, 1, ''),
('40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f', 'uniswap_v4', 'v4', 3, 192, -1, -1, 3, 4, 1, -1, '000000000004444c5dc75cb358380d2e3de08a90'),
('8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140', 'curve', 'pool', 2, 128, -1, -1, 4, 6, 0, 0, ''),
('d013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b', 'curve', 'pool', 2, 128, -1, -1, 4, 6, 0, 0, ''),
('b2e76ae99761dc136e598d4a629bb347eccb9532a5f8bbd72e18467c3c34cc98', 'curve', 'pool', 2, 128, -1, -1, 4, 6, 0, 0, ''),
('143f1f8e861fbdeddd5b46e844b7d3ac7b86a122f36e8c463859ee6811b1f29c', 'curve', 'pool', 2, 192, -1, -1, 4, 6, 0, 0, ''),
('908fb5ee8f16c6bc9bc3690973819f32a4d4b10188134543c88706e0e1d43378', 'balancer_v1', 'pool', 4, 64, 1, 2, 3, 4, 0, 0, ''),
('2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b', 'balancer_v2', 'vault', 4, 64, 1, 2, 3, 4, -1, -1, 'ba12222222228d8ba445958a75a0704d566bf2c8'),
('0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db', 'balancer_v3', 'vault', 4, 128, 1, 2, 3, 4, -1, -1, 'ba1333333333a1ba1108e8412f11850a5c319ba9'),
('3b841dc9ab51e3104bda4f61b41e4271192d22cd19da5ee6e292dc8e2744f713', 'maverick_v1', 'pool', 1, 224, -1, -1, 7, 8, 3, 4, ''),
('103ed084e94a44c8f5f6ba8e3011507c41063177e29949083c439777d8d63f60', 'maverick_v2', 'pool', 1, 256, -1, -1, 9, 10, 3, 4, ''),
('c2c0245e056d5fb095f04cd6373bc770802ebd1e6c918eb78fdef843cdb37b0f', 'dodo', 'pool', 1, 192, 3, 4, 5, 6, 7, 8, ''),
('a07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17', 'cow', 'aggregator', 2, 288, 3, 4, 5, 6, 0, -1, '9008d19f58aabd9ed0d60971565aa8510560ab41'),
('0f6672f78a59ba8e5e5b5d38df3ebc67f3c792e2c9259b8d97d7f00dd78ba1b3', 'zero_ex', 'aggregator', 2, 128, 3, 4, 5, 6, 0, 0, 'def1c0ded9bec7f1a1670819833240f027b25eff'),
('ac75f773e3a92f1a02b12134d65e1f47f8a14eabe4eaf1e24624918e6a8b269f', 'zero_ex', 'aggregator', 1, 224, 7, 6, 9, 8, 5, 5, 'def1c0ded9bec7f1a1670819833240f027b25eff'),
('829fa99d94dc4636925b38632e625736a614c154d55006b7ab6bea979c210c32', 'zero_ex', 'aggregator', 1, 256, 7, 6, 8, 9, 5, 5, 'def1c0ded9bec7f1a1670819833240f027b25eff'),
('ab614d2b738543c0ea21f56347cf696a3a0c42a7cbec3212a5ca22a4dcff2124', 'zero_ex', 'aggregator', 1, 352, 8, 7, 9, 10, 5, 5, 'def1c0ded9bec7f1a1670819833240f027b25eff')
$$)
  ),
  found AS (
    SELECT block_number, log_index, block_hash, block_time, tx_index, tx_hash, address, layouts.*, concat(topic1, topic2, topic3, data) AS words
    FROM logs INNER JOIN layouts ON topic0 = event AND topic_count = topics
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
      AND topic0 IN (SELECT event FROM layouts) AND length(data) = bytes AND (emitter = address OR shape NOT IN ('vault', 'v4'))
      AND (topic0 != unhex('d013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b') OR (block_number, tx_index, address, substring(data, 33, 32), substring(data, 97, 32)) NOT IN (
        SELECT e.block_number, e.tx_index, toFixedString(substring(e.topic1, 13, 20), 20), substring(e.data, 33, 32), substring(e.data, 97, 32) FROM logs AS e
        WHERE e.chain = {chain:String} AND e.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND e.generation = {generation:UInt32} AND e.topic_count = 2 AND length(e.data) = 128
          AND e.topic0 = unhex('8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140')
          AND (e.block_number, e.tx_index, toFixedString(substring(e.topic1, 13, 20), 20), e.address, reinterpretAsUInt256(reverse(substring(e.data, 33, 32)))) IN (
            -- In the token that alone came in as much: a token of one's own may tell of any movement.
            SELECT m.block_number, m.tx_index, m.from_address, m.to_address, m.amount FROM movements AS m
            INNER JOIN (
              SELECT i.block_number AS came_block, i.tx_index AS came_tx, i.to_address AS holder, i.amount AS came, any(i.token) AS came_token FROM movements AS i
              WHERE i.chain = {chain:String} AND i.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND i.generation = {generation:UInt32} AND i.kind = 'erc20' AND (i.block_number, i.tx_index, i.to_address) IN (
                SELECT v.block_number, v.tx_index, v.address FROM logs AS v
                WHERE v.chain = {chain:String} AND v.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND v.generation = {generation:UInt32} AND v.topic0 = unhex('d013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b'))
              GROUP BY came_block, came_tx, holder, came HAVING uniqExact(i.token) = 1
            ) AS w ON w.came_block = m.block_number AND w.came_tx = m.tx_index AND w.holder = m.from_address AND w.came = m.amount AND w.came_token = m.token
            WHERE m.chain = {chain:String} AND m.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND m.generation = {generation:UInt32} AND m.kind = 'erc20' AND (m.block_number, m.tx_index) IN (
              SELECT u.block_number, u.tx_index FROM logs AS u
              WHERE u.chain = {chain:String} AND u.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND u.generation = {generation:UInt32} AND u.topic0 = unhex('d013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b')))))
  ),
  cut AS (
    SELECT *, shape IN ('v2', 'v3', 'p3', 'v4') AS paired, emitter = address AS believed, unhex(repeat('ee', 20)) AS ether,
      reinterpretAsUInt256(reverse(substring(words, 97, 32))) AS w0, reinterpretAsUInt256(reverse(substring(words, 129, 32))) AS w1,
      reinterpretAsUInt256(reverse(substring(words, 161, 32))) AS w2, reinterpretAsUInt256(reverse(substring(words, 193, 32))) AS w3,
      if(sold_token_at < 0, '', substring(words, 32 * sold_token_at + 13, 20)) AS said_sold, if(bought_token_at < 0, '', substring(words, 32 * bought_token_at + 13, 20)) AS said_bought,
      -- 0xeeee…: how aggregators write the chain's own coin.
      if(said_sold = ether, unhex(repeat('00', 20)), said_sold) AS named_sold, if(said_bought = ether, unhex(repeat('00', 20)), said_bought) AS named_bought
    FROM found
  ),
  -- What the pool gained of token0 and token1. V4 speaks for the swapper, V3 for the pool; V2 pools hold at most 112 bits.
  gained AS (
    SELECT *, reinterpretAsInt256(w0) AS i0, reinterpretAsInt256(w1) AS i1,
      multiIf(shape = 'v2', toInt256(w0) - toInt256(w2), shape = 'v4', -i0, i0) AS gain0,
      multiIf(shape = 'v2', toInt256(w1) - toInt256(w3), shape = 'v4', -i1, i1) AS gain1
    FROM cut
    -- A join or exit of a Balancer pool is not a swap.
    WHERE shape != 'vault' OR (substring(words, if(protocol = 'balancer_v2', 1, 13), 20) AS share) != named_sold AND share != named_bought
  ),
  directed AS (
    SELECT *, gain0 > 0 AND gain1 <= 0 AS sells0 FROM gained
    WHERE NOT paired OR (gain0 > 0 AND gain1 <= 0 AND (shape != 'v2' OR gain1 < 0)) OR (gain1 > 0 AND gain0 <= 0 AND (shape != 'v2' OR gain0 < 0))
  ),
  read AS (
    SELECT *,
      if(paired, toUInt256(if(sells0, gain0, gain1)), reinterpretAsUInt256(reverse(substring(words, 32 * sold_at + 1, 32)))) AS amount_sold,
      if(paired, toUInt256(if(sells0, -gain1, -gain0)), reinterpretAsUInt256(reverse(substring(words, 32 * bought_at + 1, 32)))) AS amount_bought,
      -- V2 takes in and pays out whole amounts, of which the leg is the difference; transfers show the whole.
      if(shape = 'v2', if(sells0, w0, w1), amount_sold) AS taken, if(shape = 'v2', if(sells0, w3, w2), amount_bought) AS paid
    FROM directed
    WHERE shape != 'v2' OR greatest(w0, w1, w2, w3) < bitShiftLeft(toUInt256(1), 112)
  ),
  -- By amount: a list of all that a contract moved, beside each of its swaps, would grow with the square of what anybody can put into one transaction.
  moved AS MATERIALIZED (
    SELECT block_number AS moved_block, tx_index AS moved_tx, side.1 AS holder, side.2 AS inward, amount AS moved_amount, groupUniqArray(token) AS moved_tokens
    FROM movements ARRAY JOIN [(to_address, true), (from_address, false)] AS side
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
      AND kind IN ('native', 'internal', 'erc20', 'wrap', 'unwrap')
      AND (block_number, tx_index, side.1) IN (
        SELECT block_number, tx_index, address FROM logs
        WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
          AND topic0 IN (SELECT event FROM layouts WHERE shape != 'vault')
      )
    GROUP BY moved_block, moved_tx, holder, inward, moved_amount
  ),
  synced AS (
    SELECT block_number AS synced_block, log_index + 1 AS swap_index, address AS pair, reinterpretAsUInt256(reverse(substring(data, 1, 32))) AS reserve0,
      reinterpretAsUInt256(reverse(substring(data, 33, 32))) AS reserve1
    FROM logs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
      AND topic0 = unhex('1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1') AND topic_count = 1 AND length(data) = 64
  ),
  beside AS (
    SELECT * FROM read
    LEFT JOIN (SELECT moved_block AS in_block, moved_tx AS in_tx, holder AS taker, moved_amount AS in_amount, moved_tokens AS in_tokens FROM moved WHERE inward) AS i
      ON in_block = block_number AND in_tx = tx_index AND taker = address AND in_amount = taken
    LEFT JOIN (SELECT moved_block AS out_block, moved_tx AS out_tx, holder AS payer, moved_amount AS out_amount, moved_tokens AS out_tokens FROM moved WHERE NOT inward) AS o
      ON out_block = block_number AND out_tx = tx_index AND payer = address AND out_amount = paid
    -- One more than are looked at: the coin, which comes first, is none of a V2 or V3 pool's.
    LEFT JOIN (SELECT moved_block AS held_block, moved_tx AS held_tx, holder AS held_by, arraySlice(arraySort(groupUniqArrayArray(moved_tokens)), 1, 9) AS held_tokens FROM moved GROUP BY held_block, held_tx, held_by) AS h
      ON held_block = block_number AND held_tx = tx_index AND held_by = address
    LEFT JOIN synced ON synced_block = block_number AND swap_index = log_index AND pair = address
  ),
  matched AS (
    SELECT * EXCEPT (in_tokens, out_tokens, held_tokens), shape NOT IN ('v2', 'v3', 'p3') AS holds_coin,
      -- The coin and wrapped coin: one of them was wrapped or unwrapped beside the trade.
      shape = 'pool' AND sold_token_at < 0 AS either, [toFixedString('', 20), toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20)] AS coins,
      multiIf(amount_sold = 0, [], either AND arraySort(in_tokens) = coins, [coins[2]], arrayFilter(t -> holds_coin OR t != toFixedString('', 20), in_tokens)) AS taken_tokens,
      multiIf(amount_bought = 0, [], either AND arraySort(out_tokens) = coins, [coins[2]], arrayFilter(t -> holds_coin OR t != toFixedString('', 20), out_tokens)) AS paid_tokens,
      if(paired, arraySlice(if(shape = 'v4', arraySort(arrayDistinct(arrayPushBack(held_tokens, toFixedString('', 20)))), arrayFilter(t -> t != toFixedString('', 20), held_tokens)), 1, 8), []) AS candidates
    FROM beside
  ),
  paired_up AS (
    SELECT *, arrayFlatten(arrayMap(a -> arrayMap(b -> (a, b), arrayFilter(b -> b > a, candidates)), candidates)) AS pairs, v2, v3, p3, steps, v4 FROM matched CROSS JOIN known
  ),
  -- Of the pairs: (token0, token1, protocol, factory) of the one from which the pool's address or id was recomputed.
  proved AS (
    SELECT *, multiIf(
      shape = 'v2', arrayFlatten(arrayMap(p -> arrayMap(d -> (p.1, p.2, d.1, d.2), arrayFilter(d -> substring(keccak256(concat('\xff', d.2, keccak256(concat(p.1, p.2)), d.3)), 13) = address, v2)), pairs)),
      shape = 'v3', arrayFlatten(arrayMap(p -> arrayMap(d -> (p.1, p.2, d.1, d.2), arrayFilter(d -> substring(keccak256(concat('\xff', d.2, keccak256(concat(pad, p.1, pad, p.2, d.4)), d.3)), 13) = address, v3)), pairs)),
      shape = 'p3', arrayFlatten(arrayMap(p -> arrayMap(d -> (p.1, p.2, d.1, d.2), arrayFilter(d -> substring(keccak256(concat('\xff', unhex('41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9'), keccak256(concat(pad, p.1, pad, p.2, d.4)), d.3)), 13) = address, p3)), pairs)),
      believed, arrayMap(p -> (p.1, p.2, protocol, address), arrayFilter(p -> arrayExists(k -> keccak256(concat(pad, p.1, pad, p.2, k, toFixedString('', 32))) = substring(words, 1, 32),
        arrayConcat(v4, arrayMap(step -> concat(substring(words, 257, 32), step), steps))), pairs)),
      []) AS proofs
    FROM paired_up
  ),
  weighed AS (
    SELECT *, notEmpty(proofs) AS is_proved, proofs[1] AS proof, length(taken_tokens) = 1 AS sold_seen, length(paid_tokens) = 1 AS bought_seen,
      -- An inference that contradicts the order of the pair's tokens is wrong.
      sold_seen AND bought_seen AND (taken_tokens[1] = paid_tokens[1] OR (paired AND (taken_tokens[1] < paid_tokens[1]) != sells0)) AS absurd,
      -- L·2^96/√P and L·√P/2^96; the product is taken in two halves because it may need 288 bits.
      multiIf(shape = 'v2', reserve0, shape IN ('v3', 'p3', 'v4'), intDivOrZero(w3 * q96, w2), toUInt256(0)) AS depth0,
      multiIf(shape = 'v2', reserve1, shape IN ('v3', 'p3', 'v4'), w3 * intDiv(w2, q96) + intDiv(w3 * (w2 % q96), q96), toUInt256(0)) AS depth1
    FROM proved
  ),
  decided AS (
    SELECT *,
      multiIf(is_proved, 'proof', named_sold != '', if(believed OR has(taken_tokens, toFixedString(named_sold, 20)), 'name', ''), sold_seen AND NOT absurd, 'move', '') AS sold_by,
      multiIf(is_proved, 'proof', named_bought != '', if(believed OR has(paid_tokens, toFixedString(named_bought, 20)), 'name', ''), bought_seen AND NOT absurd, 'move', '') AS bought_by
    FROM weighed
  )
SELECT
  {chain:String} AS chain, block_number, log_index, block_hash, block_time, tx_index, tx_hash,
  if(is_proved, proof.3, protocol) AS protocol, shape = 'aggregator' AS aggregator,
  toFixedString(multiIf(shape = 'v4' OR protocol = 'balancer_v2', substring(words, 1, 32), shape = 'vault', concat(pad, substring(words, 13, 20)), concat(pad, address)), 32) AS pool,
  multiIf(is_proved, proof.4, believed, address, zero) AS factory, is_proved OR (believed AND sold_by != 'move' AND bought_by != 'move') AS trusted,
  toFixedString(if(sender_at < 0, '', substring(words, 32 * sender_at + 13, 20)), 20) AS sender,
  toFixedString(if(recipient_at < 0, '', substring(words, 32 * recipient_at + 13, 20)), 20) AS recipient,
  toFixedString(multiIf(sold_by = 'proof', if(sells0, proof.1, proof.2), sold_by = 'name', named_sold, sold_by = 'move', taken_tokens[1], zero), 20) AS token_sold,
  sold_by != '' AS token_sold_known, amount_sold,
  toFixedString(multiIf(bought_by = 'proof', if(sells0, proof.2, proof.1), bought_by = 'name', named_bought, bought_by = 'move', paid_tokens[1], zero), 20) AS token_bought,
  bought_by != '' AS token_bought_known, amount_bought,
  if(sells0, depth0, depth1) AS depth_sold, if(sells0, depth1, depth0) AS depth_bought, {generation:UInt32} AS generation
FROM decided
SETTINGS enable_materialized_cte = 1
