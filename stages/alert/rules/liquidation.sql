-- Loans that were liquidated. from_address is the borrower, to_address the liquidator, amount what was repaid or absorbed.
-- Grain: one liquidation. Parameters: chain, from, to, floor, generation. value_usd is null while unknown; such a liquidation counts as $0.
-- A rule without a threshold on the chain is silent. The id is a hash of rule, chain, block, transaction and position: the same event
-- has the same id for ever. Sort key: logs (chain, block_number, log_index); prices (chain, token, block_number).
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
SELECT SHA256(concat('liquidation|', {chain:String}, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(position))),
  {chain:String}, 'liquidation', 1, severity, block_number, block_hash, block_time, tx_hash, position,
  concat('Liquidation on ', protocol, if(isNull(usd), '', concat(' of $', if(usd < 1e59, toDecimalString(least(round(assumeNotNull(usd)), 1e59), 0), toString(assumeNotNull(usd))))), ': the position of 0x', lower(hex(borrower)), ' by 0x', lower(hex(liquidator))),
  usd, amount, token, borrower, liquidator, false, {generation:UInt32}, toUInt64({generation:UInt32}) * 2
FROM (
  SELECT l.*, dictGet('token_of', 'decimals', ({chain:String}, concat('0x', lower(hex(l.token))))) AS decimals,
    multiIf(l.told_usd IS NOT NULL, l.told_usd, protocol IN ('aave', 'aave_v1') AND decimals IS NOT NULL AND p.usd > 0 AND p.block_time >= l.block_time - INTERVAL 3600 SECOND,
      toFloat64(l.amount) / pow(10, decimals) * p.usd, NULL) AS usd
  FROM liquidations AS l
  ASOF LEFT JOIN (
    SELECT token, block_number, block_time, usd FROM prices
    WHERE chain = {chain:String} AND block_number BETWEEN greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32})
      AND token IN (SELECT token FROM liquidations WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32})
  ) AS p ON p.token = l.token AND p.block_number <= l.block_number
  WHERE l.chain = {chain:String} AND l.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND l.generation = {generation:UInt32}
) AS e
CROSS JOIN (
  SELECT argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds
  WHERE chain = {chain:String} AND rule = 'liquidation' HAVING count() > 0
) AS t
WHERE ifNull(usd, 0) >= threshold
ORDER BY block_number, position
