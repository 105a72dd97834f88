-- Stablecoins that cease to be, seized ones among them.
-- Grain: one event of a stablecoin. Parameters: chain, from, to, generation. A stablecoin counts as a dollar.
-- A rule without a threshold on the chain is silent. The id is a hash of rule, chain, block, transaction and position: the same event
-- has the same id for ever. Sort key: transfers and logs (chain, block_number, …).
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
SELECT SHA256(concat('stablecoin_burn|', {chain:String}, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(position))),
  {chain:String}, 'stablecoin_burn', 1, severity, block_number, block_hash, block_time, tx_hash, position,
  concat(toDecimalString(assumeNotNull(usd), 2), ' ', asset, ' burnt', ', account 0x', lower(hex(account))), usd, amount, token,
  account, toFixedString('', 20), false, {generation:UInt32}, toUInt64({generation:UInt32}) * 2
FROM (
  SELECT *, dictGet('token_of', ('symbol', 'decimals', 'listed'), ({chain:String}, concat('0x', lower(hex(token))))) AS described,
    if(described.3 = 1, described.1, concat('token 0x', lower(hex(token)))) AS asset, toFloat64(amount) / pow(10, described.2) AS usd
  FROM stablecoin_events WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'burn'
) AS e
CROSS JOIN (
  SELECT argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds
  WHERE chain = {chain:String} AND rule = 'stablecoin_burn' HAVING count() > 0
) AS t
WHERE usd >= threshold
ORDER BY block_number, position
