-- How aggregates are read: the newest version of every segment, summed per hour and per day. Reads are bounded by hour, so FINAL
-- merges a few segments only. A sum of amounts is null (unknown) where an amount from 2^200 on was among them.

CREATE VIEW IF NOT EXISTS token_hours AS
SELECT chain, hour, token, sum(transfers) AS transfers, if(sum(oversized) = 0, sum(amount), NULL) AS amount,
  toFloat64(sum(value_usd)) AS value_usd, sum(priced_transfers) AS priced_transfers, uniqCombined64Merge(senders) AS senders, uniqCombined64Merge(receivers) AS receivers
FROM token_segments FINAL GROUP BY chain, hour, token;

CREATE VIEW IF NOT EXISTS token_days AS
SELECT chain, toDate(hour) AS day, token, sum(transfers) AS transfers, if(sum(oversized) = 0, sum(amount), NULL) AS amount,
  toFloat64(sum(value_usd)) AS value_usd, sum(priced_transfers) AS priced_transfers, uniqCombined64Merge(senders) AS senders, uniqCombined64Merge(receivers) AS receivers
FROM token_segments FINAL GROUP BY chain, day, token;

CREATE VIEW IF NOT EXISTS pair_hours AS
SELECT chain, hour, token_a, token_b, protocol, sum(swaps) AS swaps, if(sum(oversized) = 0, sum(amount_a), NULL) AS amount_a,
  if(sum(oversized) = 0, sum(amount_b), NULL) AS amount_b, toFloat64(sum(value_usd)) AS value_usd,
  sum(priced_swaps) AS priced_swaps, uniqCombined64Merge(traders) AS traders
FROM pair_segments FINAL GROUP BY chain, hour, token_a, token_b, protocol;

CREATE VIEW IF NOT EXISTS pair_days AS
SELECT chain, toDate(hour) AS day, token_a, token_b, protocol, sum(swaps) AS swaps, if(sum(oversized) = 0, sum(amount_a), NULL) AS amount_a,
  if(sum(oversized) = 0, sum(amount_b), NULL) AS amount_b, toFloat64(sum(value_usd)) AS value_usd,
  sum(priced_swaps) AS priced_swaps, uniqCombined64Merge(traders) AS traders
FROM pair_segments FINAL GROUP BY chain, day, token_a, token_b, protocol;

CREATE VIEW IF NOT EXISTS class_hours AS
SELECT chain, hour, from_class, to_class, token, sum(transfers) AS transfers, if(sum(oversized) = 0, sum(amount), NULL) AS amount,
  toFloat64(sum(value_usd)) AS value_usd, sum(priced_transfers) AS priced_transfers
FROM class_segments FINAL GROUP BY chain, hour, from_class, to_class, token;

CREATE VIEW IF NOT EXISTS class_days AS
SELECT chain, toDate(hour) AS day, from_class, to_class, token, sum(transfers) AS transfers, if(sum(oversized) = 0, sum(amount), NULL) AS amount,
  toFloat64(sum(value_usd)) AS value_usd, sum(priced_transfers) AS priced_transfers
FROM class_segments FINAL GROUP BY chain, day, from_class, to_class, token;

CREATE VIEW IF NOT EXISTS entity_hours AS
SELECT chain, hour, entity, token, sum(transfers_in) AS transfers_in, if(sum(oversized) = 0, sum(amount_in), NULL) AS amount_in,
  toFloat64(sum(usd_in)) AS usd_in, sum(transfers_out) AS transfers_out, if(sum(oversized) = 0, sum(amount_out), NULL) AS amount_out,
  toFloat64(sum(usd_out)) AS usd_out, sum(transfers_internal) AS transfers_internal, if(sum(oversized) = 0, sum(amount_internal), NULL) AS amount_internal
FROM entity_segments FINAL GROUP BY chain, hour, entity, token;

CREATE VIEW IF NOT EXISTS entity_days AS
SELECT chain, toDate(hour) AS day, entity, token, sum(transfers_in) AS transfers_in, if(sum(oversized) = 0, sum(amount_in), NULL) AS amount_in,
  toFloat64(sum(usd_in)) AS usd_in, sum(transfers_out) AS transfers_out, if(sum(oversized) = 0, sum(amount_out), NULL) AS amount_out,
  toFloat64(sum(usd_out)) AS usd_out, sum(transfers_internal) AS transfers_internal, if(sum(oversized) = 0, sum(amount_internal), NULL) AS amount_internal
FROM entity_segments FINAL GROUP BY chain, day, entity, token;

CREATE VIEW IF NOT EXISTS address_hours AS
SELECT chain, address, hour, sum(transfers_in) AS transfers_in, toFloat64(sum(usd_in)) AS usd_in, sum(transfers_out) AS transfers_out, toFloat64(sum(usd_out)) AS usd_out
FROM address_segments FINAL GROUP BY chain, address, hour;

CREATE VIEW IF NOT EXISTS address_days AS
SELECT chain, address, toDate(hour) AS day, sum(transfers_in) AS transfers_in, toFloat64(sum(usd_in)) AS usd_in, sum(transfers_out) AS transfers_out, toFloat64(sum(usd_out)) AS usd_out
FROM address_segments FINAL GROUP BY chain, address, day;

-- One row per address: when it was first and last seen and what it moved. Narrow it by address: that is the sort key.
CREATE VIEW IF NOT EXISTS wallets AS
SELECT chain, address, sum(transfers_in) AS transfers_in, toFloat64(sum(usd_in)) AS usd_in, sum(transfers_out) AS transfers_out, toFloat64(sum(usd_out)) AS usd_out,
  min(first_block) AS first_block, max(last_block) AS last_block, min(first_time) AS first_seen, max(last_time) AS last_seen
FROM address_segments FINAL GROUP BY chain, address;

-- The lists that the top of a day is put together from, by segment.
CREATE VIEW IF NOT EXISTS top_lists AS
SELECT * EXCEPT (version) FROM top_segments FINAL;

-- Pools and their tokens: created in sight, or recomputed from a known factory, or inferred alike in two transactions.
CREATE VIEW IF NOT EXISTS pools AS
SELECT chain, pool, argMax(s.protocol, (s.source = 'created', s.trusted, s.block_number)) AS protocol, argMax(s.tokens, (s.source = 'created', s.trusted, s.block_number)) AS tokens,
  argMax(s.factory, (s.source = 'created', s.trusted, s.block_number)) AS factory, max(s.trusted) AS trusted, min(s.block_number) AS first_block, uniqExact(s.tx_hash) AS sightings,
  countIf(s.source = 'created') > 0 OR max(s.trusted) OR (uniqExact(s.tx_hash) >= 2 AND uniqExact(s.tokens) = 1) AS accepted
FROM pool_sightings AS s GROUP BY chain, pool;

-- Batches that are live: planned and not ended by a later rollback. Grain: one batch.
CREATE VIEW IF NOT EXISTS live_batches AS
SELECT p.chain AS chain, p.seq AS seq, p.from_block AS from_block, p.to_block AS to_block, p.hash AS hash, p.parent_hash AS parent_hash, p.generation AS generation,
  p.target AS target, p.floor AS floor, p.at AS planned_at
FROM plans AS p
LEFT JOIN (SELECT chain, groupArray((seq, from_block)) AS ended FROM plans WHERE kind = 'rollback' GROUP BY chain) AS r ON r.chain = p.chain
WHERE p.kind = 'plan' AND NOT arrayExists(x -> x.1 > p.seq AND p.to_block >= x.2, r.ended);

-- A lookup is never compared with = here: the server would turn that into a scan of the whole dictionary.

-- Transfers in words: sender and receiver by our label if there is one, the token by its symbol only if a bundled list names it,
-- because any other symbol is text of a stranger. Narrow it by chain and block_number.
CREATE VIEW IF NOT EXISTS told_transfers AS
SELECT * EXCEPT (listed),
  if(from_label = '', sender_hex, concat(from_label, ' (', sender_hex, ')')) AS sender,
  if(to_label = '', receiver_hex, concat(to_label, ' (', receiver_hex, ')')) AS receiver,
  if(listed, toString(token_symbol), concat('of token ', token_hex)) AS asset,
  if(isNull(token_decimals), concat(toString(amount), ' smallest units'), toDecimalString(toFloat64(amount) / pow(10, assumeNotNull(token_decimals)), 4)) AS quantity,
  if(isNull(value_usd), 'value unknown', concat('$', trimLeft(reverse(replaceRegexpAll(reverse(toDecimalString(round(assumeNotNull(value_usd)), 0)), '(\\d{3})', '\\1,')), ','))) AS dollars
FROM (
  SELECT *, dictGet('token_of', 'listed', (toString(chain), token_hex)) AS listed
  FROM (
    SELECT *, concat('0x', lower(hex(from_address))) AS sender_hex, concat('0x', lower(hex(to_address))) AS receiver_hex, concat('0x', lower(hex(token))) AS token_hex FROM transfers
  )
);

-- Supply of stablecoins and frozen holders. Grain: one event. kind: mint, burn, freeze. A mint or burn is a Transfer from or to zero (so
-- USDC's own Mint and Burn are not counted again), except USDT's Issue, Redeem and DestroyedBlackFunds, which come without one.
-- account: who received, gave or was frozen; zero where the event does not tell. Narrow it by chain and block_number.
-- Steps are small and topics are literals: the server analyses an expression anew wherever it is named.
CREATE VIEW IF NOT EXISTS stablecoin_events AS
SELECT chain, block_number, block_hash, block_time, tx_hash, position, if(minted, 'mint', 'burn') AS kind, token, if(minted, to_address, from_address) AS account, amount
FROM (
  SELECT chain, block_number, block_hash, block_time, tx_hash, position, token, from_address, to_address, amount,
    from_address = toFixedString('', 20) AS minted, to_address = toFixedString('', 20) AS burnt
  FROM transfers WHERE kind = 'erc20' AND amount > 0
)
WHERE minted != burnt AND dictGet('token_of', 'stable', (toString(chain), concat('0x', lower(hex(token)))))
UNION ALL
SELECT chain, block_number, block_hash, block_time, tx_hash, position, multiIf(event = 'Issue', 'mint', event IN ('AddedBlackList', 'Blacklisted'), 'freeze', 'burn') AS kind, token,
  toFixedString(multiIf(event = 'Blacklisted', substring(topic1, 13, 20), event IN ('AddedBlackList', 'DestroyedBlackFunds'), substring(data, 13, 20), ''), 20) AS account,
  multiIf(event IN ('Issue', 'Redeem'), reinterpretAsUInt256(reverse(substring(data, 1, 32))), event = 'DestroyedBlackFunds', reinterpretAsUInt256(reverse(substring(data, 33, 32))), 0) AS amount
FROM (
  SELECT chain, block_number, block_hash, block_time, tx_hash, log_index AS position, address AS token, topic1, data,
    transform(lower(hex(topic0)), ['cb8241adb0c3fdb35b70c24ce35c5eb0c17af7431c99f827d44a445ca624176a', '702d5967f45f6513a38ffc42d6ba9bf230bd40e8f53b16363c7eb4fd2deb9a44',
      '61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c6', '42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc',
      'ffa4e6181777692565cf28528fc88fd1516ea86b56da075235fa575af6a4b855'], ['Issue', 'Redeem', 'DestroyedBlackFunds', 'AddedBlackList', 'Blacklisted'], '') AS event
  FROM logs
  WHERE address IN (unhex('dac17f958d2ee523a2206206994597c13d831ec7'), unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'))
)
WHERE event = 'Blacklisted' AND token = unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
  OR event IN ('Issue', 'Redeem', 'AddedBlackList') AND token = unhex('dac17f958d2ee523a2206206994597c13d831ec7') AND length(data) >= 32
  OR event = 'DestroyedBlackFunds' AND token = unhex('dac17f958d2ee523a2206206994597c13d831ec7') AND length(data) >= 64;

-- Liquidations told by contracts we know as lending protocols (anybody may emit these events). Grain: one event. amount is what was
-- repaid or absorbed, in units of token; token is zero where the event does not name it (Aave V1 writes the coin as 0xeeee…), and told_usd null unless the protocol tells dollars.
-- Narrow it by chain and block_number.
CREATE VIEW IF NOT EXISTS liquidations AS
SELECT chain, block_number, block_hash, block_time, tx_hash, position, market, protocol,
  toFixedString(multiIf(protocol = 'aave', substring(data, 77, 20), protocol = 'aave_v1', substring(data, 109, 20), protocol = 'compound_v2', substring(data, 13, 20), protocol = 'morpho', substring(topic2, 13, 20), substring(topic1, 13, 20)), 20) AS liquidator,
  toFixedString(multiIf(protocol = 'compound_v2', substring(data, 45, 20), protocol = 'compound_v3', substring(topic2, 13, 20), substring(topic3, 13, 20)), 20) AS borrower,
  toFixedString(multiIf(protocol IN ('aave', 'aave_v1'), substring(topic2, 13, 20), protocol = 'compound_v3', substring(topic3, 13, 20), ''), 20) AS token,
  reinterpretAsUInt256(reverse(substring(data, if(protocol = 'compound_v2', 65, 1), 32))) AS amount,
  if(protocol = 'compound_v3', toFloat64(reinterpretAsUInt256(reverse(substring(data, 33, 32)))) / 1e8, NULL) AS told_usd
FROM (
  SELECT chain, block_number, block_hash, block_time, tx_hash, log_index AS position, address AS market, topic_count, topic1, topic2, topic3, data,
    transform(lower(hex(topic0)), ['e413a321e8681d831f4dbccbca790d2952b56f977908e45be37335533e005286', '298637f684da70674f26509b10f07ec2fbc77a335ab1e7d6215a4b2484d8bb52',
      'a4946ede45d0c6f06a0f5ce92c9ad3b4751452d2fe0e25010783bcab57a67e41', '9850ab1af75177e4a9201c65a2cf7976d5d28e40ef63494b44366f86b2f9412e',
      '56864757fd5b1fc9f38f5f3a981cd8ae512ce41b902cf73fc506ee369c6bc237'],
      ['aave', 'compound_v2', 'morpho', 'compound_v3', 'aave_v1'], '') AS protocol
  FROM logs
  WHERE topic0 IN (unhex('e413a321e8681d831f4dbccbca790d2952b56f977908e45be37335533e005286'), unhex('298637f684da70674f26509b10f07ec2fbc77a335ab1e7d6215a4b2484d8bb52'),
    unhex('a4946ede45d0c6f06a0f5ce92c9ad3b4751452d2fe0e25010783bcab57a67e41'), unhex('9850ab1af75177e4a9201c65a2cf7976d5d28e40ef63494b44366f86b2f9412e'),
    unhex('56864757fd5b1fc9f38f5f3a981cd8ae512ce41b902cf73fc506ee369c6bc237'))
)
WHERE topic_count = if(protocol = 'compound_v2', 1, 4) AND length(data) >= transform(protocol, ['aave', 'compound_v3'], [128, 64], 160)
  AND has(['lending'], dictGet('label_of', 'category', (toString(chain), concat('0x', lower(hex(market))))));
