-- What changes the supply of USDT is Issue, Redeem and DestroyedBlackFunds: a transfer of it to the zero address, or from there, leaves its supply as it is and is no mint or burn.
-- Otherwise the view is that of 0071_generations.sql; what it is stands in 0009_views.sql. Alerts and chunks of blocks that are indexed already stay until those are worked on again.
CREATE OR REPLACE VIEW stablecoin_events AS
SELECT chain, block_number, block_hash, block_time, tx_hash, position, if(minted, 'mint', 'burn') AS kind, token, if(minted, to_address, from_address) AS account, amount, generation
FROM (
  SELECT chain, block_number, block_hash, block_time, tx_hash, position, token, from_address, to_address, amount, generation,
    from_address = toFixedString('', 20) AS minted, to_address = toFixedString('', 20) AS burnt
  FROM transfers WHERE kind = 'erc20' AND amount > 0
)
WHERE minted != burnt AND token != unhex('dac17f958d2ee523a2206206994597c13d831ec7') AND dictGet('token_of', 'stable', (toString(chain), concat('0x', lower(hex(token)))))
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
