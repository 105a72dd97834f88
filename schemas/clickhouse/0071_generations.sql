-- Views of a batch's rows know their generation, so that a stage reads those of its own batch alone: what a worker still wrote of an orphaned block is not counted with those of the block in its place.
-- What each of them is stands where it was first made: trusted_trades in 0007_enriched.sql, the others in 0009_views.sql.

CREATE OR REPLACE VIEW trusted_trades AS
SELECT chain, block_number, log_index, block_hash, block_time, side.1 AS token, side.2 AS token_amount, side.3 AS quote, side.4 AS quote_amount, side.5 AS quote_depth, generation
FROM swap_legs
ARRAY JOIN [(token_sold, amount_sold, token_bought, amount_bought, depth_bought), (token_bought, amount_bought, token_sold, amount_sold, depth_sold)] AS side
WHERE trusted AND NOT aggregator AND token_sold_known AND token_bought_known AND amount_sold > 0 AND amount_bought > 0
  AND greatest(amount_sold, amount_bought) < bitShiftLeft(toUInt256(1), 200);

CREATE OR REPLACE VIEW stablecoin_events AS
SELECT chain, block_number, block_hash, block_time, tx_hash, position, if(minted, 'mint', 'burn') AS kind, token, if(minted, to_address, from_address) AS account, amount, generation
FROM (
  SELECT chain, block_number, block_hash, block_time, tx_hash, position, token, from_address, to_address, amount, generation,
    from_address = toFixedString('', 20) AS minted, to_address = toFixedString('', 20) AS burnt
  FROM transfers WHERE kind = 'erc20' AND amount > 0
)
WHERE minted != burnt AND dictGet('token_of', 'stable', (toString(chain), concat('0x', lower(hex(token)))))
UNION ALL
SELECT chain, block_number, block_hash, block_time, tx_hash, position, multiIf(event = 'Issue', 'mint', event IN ('AddedBlackList', 'Blacklisted'), 'freeze', 'burn') AS kind, token,
  toFixedString(multiIf(event = 'Blacklisted', substring(topic1, 13, 20), event IN ('AddedBlackList', 'DestroyedBlackFunds'), substring(data, 13, 20), ''), 20) AS account,
  multiIf(event IN ('Issue', 'Redeem'), reinterpretAsUInt256(reverse(substring(data, 1, 32))), event = 'DestroyedBlackFunds', reinterpretAsUInt256(reverse(substring(data, 33, 32))), 0) AS amount, generation
FROM (
  SELECT chain, block_number, block_hash, block_time, tx_hash, log_index AS position, address AS token, topic1, data, generation,
    transform(lower(hex(topic0)), ['cb8241adb0c3fdb35b70c24ce35c5eb0c17af7431c99f827d44a445ca624176a', '702d5967f45f6513a38ffc42d6ba9bf230bd40e8f53b16363c7eb4fd2deb9a44',
      '61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c6', '42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc',
      'ffa4e6181777692565cf28528fc88fd1516ea86b56da075235fa575af6a4b855'], ['Issue', 'Redeem', 'DestroyedBlackFunds', 'AddedBlackList', 'Blacklisted'], '') AS event
  FROM logs
  WHERE address IN (unhex('dac17f958d2ee523a2206206994597c13d831ec7'), unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'))
)
WHERE event = 'Blacklisted' AND token = unhex('a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
  OR event IN ('Issue', 'Redeem', 'AddedBlackList') AND token = unhex('dac17f958d2ee523a2206206994597c13d831ec7') AND length(data) >= 32
  OR event = 'DestroyedBlackFunds' AND token = unhex('dac17f958d2ee523a2206206994597c13d831ec7') AND length(data) >= 64;

CREATE OR REPLACE VIEW liquidations AS
SELECT chain, block_number, block_hash, block_time, tx_hash, position, market, protocol,
  toFixedString(multiIf(protocol = 'aave', substring(data, 77, 20), protocol = 'aave_v1', substring(data, 109, 20), protocol = 'compound_v2', substring(data, 13, 20), protocol = 'morpho', substring(topic2, 13, 20), substring(topic1, 13, 20)), 20) AS liquidator,
  toFixedString(multiIf(protocol = 'compound_v2', substring(data, 45, 20), protocol = 'compound_v3', substring(topic2, 13, 20), substring(topic3, 13, 20)), 20) AS borrower,
  toFixedString(multiIf(protocol IN ('aave', 'aave_v1'), substring(topic2, 13, 20), protocol = 'compound_v3', substring(topic3, 13, 20), ''), 20) AS token,
  reinterpretAsUInt256(reverse(substring(data, if(protocol = 'compound_v2', 65, 1), 32))) AS amount,
  if(protocol = 'compound_v3', toFloat64(reinterpretAsUInt256(reverse(substring(data, 33, 32)))) / 1e8, NULL) AS told_usd, generation
FROM (
  SELECT chain, block_number, block_hash, block_time, tx_hash, log_index AS position, address AS market, topic_count, topic1, topic2, topic3, data, generation,
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
