-- What of the rarer things an enriched batch holds, so that statements with nothing to write are not run. Grain: one row; each column counts.
-- Parameters: chain, from, to. Sort keys: transfers and logs (chain, block_number, …). A column may count too much, never too little.
-- told: transfers worth a line. alerting: transfers from the lowest threshold of a rule on. rare: what moves a stablecoin's supply or
-- freezes a holder, creations of pools and liquidations, which are also counted each for itself. led: leaders that may speak of the batch.
WITH (
  SELECT min(threshold) FROM (
    SELECT argMax(threshold, version) AS threshold FROM alert_thresholds
    WHERE chain = {chain:String} AND rule IN ('whale_transfer', 'exchange_inflow', 'exchange_outflow') GROUP BY rule)
) AS lowest
SELECT (SELECT count() FROM leaders WHERE chain = {chain:String} AND in_force_from <= {to:UInt64}) AS led, told, alerting, minted + issued AS stablecoins, created, liquidated, stablecoins + created + liquidated AS rare FROM (
  SELECT countIf(value_usd >= 50000 OR mixed) AS told, countIf(value_usd >= lowest OR mixed) AS alerting,
    countIf(kind = 'erc20' AND (from_address = toFixedString('', 20) OR to_address = toFixedString('', 20))
      AND dictGet('token_of', 'stable', ({chain:String}, concat('0x', lower(hex(token)))))) AS minted
  FROM (
    SELECT kind, token, from_address, to_address, value_usd, from_class = 'mixer' OR to_class = 'mixer' AS mixed FROM transfers
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
  )
) AS moved CROSS JOIN (
  SELECT countIf(kind = 1) AS created, countIf(kind = 2) AS liquidated, countIf(kind = 3) AS issued FROM (
    SELECT transform(lower(hex(topic0)), [
      '0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9', '783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
      'dd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438', '9b3fb3a17b4e94eb4d1217257372dcc712218fcd4bc1c28482bd8a6804a7c775',
      'f5847d3f2197b16cdcd2098ec95d0905cd1abdaf415f07bb7cef2bba8ac5dec4', 'bc1561eeab9f40962e2fb827a7ff9c7cdb47a9d7c84caeefa4ed90e043842dad',
      'a307f5d0802489baddec443058a63ce115756de9020e2b07d3e2cd2f21269e2a', '8152a3037e3dc54154ad0d2cadb1cf7e1d1b9e2b625faa3dfb4fe03d609102ca',
      'e413a321e8681d831f4dbccbca790d2952b56f977908e45be37335533e005286', '298637f684da70674f26509b10f07ec2fbc77a335ab1e7d6215a4b2484d8bb52',
      'a4946ede45d0c6f06a0f5ce92c9ad3b4751452d2fe0e25010783bcab57a67e41', '9850ab1af75177e4a9201c65a2cf7976d5d28e40ef63494b44366f86b2f9412e',
      '56864757fd5b1fc9f38f5f3a981cd8ae512ce41b902cf73fc506ee369c6bc237', 'cb8241adb0c3fdb35b70c24ce35c5eb0c17af7431c99f827d44a445ca624176a',
      '702d5967f45f6513a38ffc42d6ba9bf230bd40e8f53b16363c7eb4fd2deb9a44', '61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c6', '42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc',
      'ffa4e6181777692565cf28528fc88fd1516ea86b56da075235fa575af6a4b855'], [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3], 0) AS kind
    FROM logs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
  )
) AS emitted
