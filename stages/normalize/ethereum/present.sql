-- What of the rarer things a batch holds, so that statements with nothing to write are not run. Grain: one row; each column counts.
-- Parameters: chain, from, to, generation. Reads raw_payloads and logs by their sort keys (chain, kind, number) and (chain, block_number).
-- blocks: those with good answers, exactly; asked behind decode.sql, it says of how many that had all there is, as answers only go. Another column may count too much, never too little. created: events by which factories and singletons make pools, whoever emits them.
-- agents: logs of the ERC-8004 registries.
SELECT traced, created, agents, blocks FROM (
  SELECT countIf(traces_kind != '') AS traced, uniqExactIf(number, problem = '') AS blocks FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND generation = {generation:UInt32}
) AS payloads CROSS JOIN (
  SELECT countIf(topic0 IN (
    unhex('0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'), unhex('783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118'),
    unhex('dd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438'), unhex('9b3fb3a17b4e94eb4d1217257372dcc712218fcd4bc1c28482bd8a6804a7c775'),
    unhex('f5847d3f2197b16cdcd2098ec95d0905cd1abdaf415f07bb7cef2bba8ac5dec4'), unhex('bc1561eeab9f40962e2fb827a7ff9c7cdb47a9d7c84caeefa4ed90e043842dad'),
    unhex('a307f5d0802489baddec443058a63ce115756de9020e2b07d3e2cd2f21269e2a'), unhex('8152a3037e3dc54154ad0d2cadb1cf7e1d1b9e2b625faa3dfb4fe03d609102ca'))) AS created,
    countIf(address IN (unhex('8004a169fb4a3325136eb29fa0ceb6d2e539a432'), unhex('8004baa17c55a88189ae136b182e5fda19de9b63'))) AS agents
  FROM logs
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS emitted
