-- Pools that a factory or singleton created in this batch. Grain: one creating event. Parameters: chain, from, to, generation.
-- Reads logs by their sort key (chain, block_number).
-- Anybody can emit an event: only a factory or singleton known here makes a sighting trusted. fee in millionths, 0 where unknown, as where a hook of V4 sets it.
-- Balancer V2 tells of tokens that are added to a pool later as of its first: they are a pool's making where its registration is in the same transaction.
-- A list of tokens has at most 64: Balancer V2's vault lets a pool have 50.
INSERT INTO pool_sightings
WITH
  toFixedString('', 12) AS pad, toFixedString('', 20) AS zero,
  -- topic0, name where the emitter is not known, topics, least bytes of data
  layouts AS (
    SELECT toFixedString(unhex(topic), 32) AS event, kind, topics, least FROM format(Values, 'topic String, kind String, topics UInt8, least UInt16', $$
('0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9', 'v2_fork', 3, 64),
('783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118', 'v3_fork', 4, 64),
('dd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438', 'uniswap_v4', 4, 160),
('9b3fb3a17b4e94eb4d1217257372dcc712218fcd4bc1c28482bd8a6804a7c775', 'maverick_v1', 1, 256),
('f5847d3f2197b16cdcd2098ec95d0905cd1abdaf415f07bb7cef2bba8ac5dec4', 'balancer_v2', 2, 128),
('bc1561eeab9f40962e2fb827a7ff9c7cdb47a9d7c84caeefa4ed90e043842dad', 'balancer_v3', 3, 64),
('a307f5d0802489baddec443058a63ce115756de9020e2b07d3e2cd2f21269e2a', 'curve', 1, 224),
('8152a3037e3dc54154ad0d2cadb1cf7e1d1b9e2b625faa3dfb4fe03d609102ca', 'curve_two', 1, 160)
$$)
  ),
  -- Emitters that are believed, the event each is believed for, the protocol and the fee its pools share.
  makers AS (
    SELECT toFixedString(unhex(at), 20) AS maker, made, name, share FROM format(Values, 'at String, made String, name String, share UInt32', $$
('5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', 'v2_fork', 'uniswap_v2', 3000),
('c0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac', 'v2_fork', 'sushiswap_v2', 3000),
('1097053fd2ea711dad45caccc45eff7548fcb362', 'v2_fork', 'pancakeswap_v2', 2500),
('1f98431c8ad98523631ae4a59f267346ea31f984', 'v3_fork', 'uniswap_v3', 0),
('baceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f', 'v3_fork', 'sushiswap_v3', 0),
('0bfbcf9fa4f9c56b0f40a671ad40e0805a091865', 'v3_fork', 'pancakeswap_v3', 0),
('000000000004444c5dc75cb358380d2e3de08a90', 'uniswap_v4', 'uniswap_v4', 0),
('ba12222222228d8ba445958a75a0704d566bf2c8', 'balancer_v2', 'balancer_v2', 0),
('ba1333333333a1ba1108e8412f11850a5c319ba9', 'balancer_v3', 'balancer_v3', 0),
('0c0e5f2ff0ff18a3be9b835635039256dc4b4963', 'curve', 'curve', 0),
('98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', 'curve_two', 'curve', 0)
$$)
  ),
  events AS (
    SELECT block_number, log_index, block_hash, block_time, tx_hash, address, kind, topic1, topic2, topic3, data,
      -- A list of tokens: its offset is the first word, its length stands there; balancer_v3 gives four words to each token.
      toUInt64(least(reinterpretAsUInt256(reverse(substring(data, 1, 32))), toUInt256(length(data)))) AS list_at,
      if(kind = 'balancer_v3', 128, 32) AS stride,
      toUInt64(least(reinterpretAsUInt256(reverse(substring(data, list_at + 1, 32))), toUInt256(65))) AS list_size
    FROM logs INNER JOIN layouts ON topic0 = event AND topic_count = topics
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
      AND topic0 IN (SELECT event FROM layouts) AND length(data) >= least
      AND (kind != 'balancer_v2' OR (block_number, tx_index, address, topic1) IN (
        SELECT r.block_number, r.tx_index, r.address, r.topic1 FROM logs AS r
        WHERE r.chain = {chain:String} AND r.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND r.generation = {generation:UInt32}
          AND r.topic0 = unhex('3c13bc30b8e878c53fd2a36b679409c073afd75950be43d8858768e956fbc20e') AND r.topic_count = 3))
  ),
  created AS (
    SELECT block_number, log_index, block_hash, block_time, tx_hash, address, kind,
      toFixedString(multiIf(kind IN ('uniswap_v4', 'balancer_v2'), substring(topic1, 1, 32), kind = 'balancer_v3', substring(topic1, 1, 32), kind = 'v3_fork', substring(data, 33, 32), substring(data, 1, 32)), 32) AS pool,
      multiIf(
        kind IN ('v2_fork', 'v3_fork'), [substring(topic1, 1, 32), substring(topic2, 1, 32)],
        kind = 'uniswap_v4', [substring(topic2, 1, 32), substring(topic3, 1, 32)],
        kind = 'maverick_v1', [substring(data, 193, 32), substring(data, 225, 32)],
        kind = 'curve', [substring(data, 129, 32), substring(data, 161, 32), substring(data, 193, 32)],
        kind = 'curve_two', [substring(data, 97, 32), substring(data, 129, 32)],
        list_size BETWEEN 1 AND 64 AND list_at + 32 + stride * list_size <= length(data), arrayMap(i -> substring(data, list_at + 33 + stride * i, 32), range(list_size)),
        []) AS words,
      multiIf(kind = 'v3_fork', reinterpretAsUInt256(reverse(topic3)), kind = 'uniswap_v4', reinterpretAsUInt256(reverse(substring(data, 1, 32))), toUInt256(0)) AS fee
    FROM events
  )
SELECT {chain:String} AS chain, pool, block_number, log_index, block_hash, block_time, tx_hash,
  multiIf(name != '', name, kind = 'curve_two', 'curve', kind) AS protocol, 'created' AS source, address AS factory, name != '' AS trusted,
  arrayMap(w -> toFixedString(substring(w, 13), 20), words) AS tokens, toUInt32(if(name != '' AND share > 0, toUInt256(share), if(kind = 'uniswap_v4' AND fee > 1000000, toUInt256(0), least(fee, toUInt256(16777215))))) AS fee,
  {generation:UInt32} AS generation
FROM created LEFT JOIN makers ON maker = address AND made = kind
WHERE notEmpty(words) AND arrayAll(w -> startsWith(w, pad), words) AND (kind IN ('uniswap_v4', 'balancer_v2') OR startsWith(pool, pad))
