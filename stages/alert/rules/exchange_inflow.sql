-- Value that reaches an exchange from outside of it.
-- Grain: one transfer. Parameters: chain, from, to, generation.
-- A rule without a threshold on the chain is silent. The id is a hash of rule, chain, block, transaction and position: the same event
-- has the same id for ever. Sort key: transfers (chain, block_number, kind, position, sub).
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
SELECT SHA256(concat('exchange_inflow|', {chain:String}, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(kind), ':', toString(position), ':', toString(sub))),
  {chain:String}, 'exchange_inflow', 1, severity, block_number, block_hash, block_time, tx_hash, position,
  concat(quantity, ' ', asset, ' (', dollars, ') went into exchange ', receiver, ' from ', sender), value_usd, amount, token,
  from_address, to_address, false, {generation:UInt32}, toUInt64({generation:UInt32}) * 2
FROM told_transfers
CROSS JOIN (
  SELECT argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds
  WHERE chain = {chain:String} AND rule = 'exchange_inflow' HAVING count() > 0
) AS t
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND kind IN ('native', 'internal', 'erc20') AND amount > 0
  AND value_usd >= threshold AND to_class = 'exchange' AND from_entity != to_entity
ORDER BY block_number, kind, position, sub
