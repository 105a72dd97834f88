-- Rules on stablecoins. stablecoin_mint: new ones. stablecoin_burn: those that cease to be, seized ones among them. stablecoin_freeze: a
-- holder whose stablecoins the issuer froze. Grain: one event of a stablecoin. Parameters: chain, from, to, generation.
-- A stablecoin counts as a dollar. A rule without a threshold on the chain is silent. The id is a hash of rule, chain, block, transaction
-- and position: the same event has the same id for ever. Sort keys: transfers and logs (chain, block_number, …).
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
SELECT SHA256(concat(rule, '|', {chain:String}, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(position))),
  {chain:String}, rule, 1, severity, block_number, block_hash, block_time, tx_hash, position,
  concat(if(isNull(usd), '', concat(if(usd < 1e59, toDecimalString(least(assumeNotNull(usd), 1e59), 2), toString(assumeNotNull(usd))), ' ')), if(described.3 = 1, described.1, concat('token 0x', lower(hex(token)))),
    multiIf(kind = 'mint', ' minted', kind = 'burn', ' burnt', ' frozen'), ', account 0x', lower(hex(account))),
  usd, amount, token, if(kind = 'mint', zero, account), if(kind = 'mint', account, zero), false, {generation:UInt32}, toUInt64({generation:UInt32}) * 2
FROM (
  SELECT *, concat('stablecoin_', kind) AS rule, toFixedString('', 20) AS zero, if(kind = 'freeze', NULL, toFloat64(amount) / pow(10, described.2)) AS usd
  FROM (
    SELECT *, dictGet('token_of', ('symbol', 'decimals', 'listed'), ({chain:String}, concat('0x', lower(hex(token))))) AS described
    FROM stablecoin_events WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  )
) AS e
INNER JOIN (
  SELECT rule, argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds WHERE chain = {chain:String} GROUP BY rule
) AS t ON t.rule = e.rule
WHERE ifNull(usd, 0) >= threshold
ORDER BY block_number, position
