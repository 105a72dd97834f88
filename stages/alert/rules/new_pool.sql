-- Pools that a known factory or singleton created.
-- Grain: one pool. Parameters: chain, from, to, generation.
-- A rule without a threshold on the chain is silent. The id is a hash of rule, chain, block, transaction and position: the same event
-- has the same id for ever. Sort key: pool_sightings (chain, pool, block_number, log_index), pruned by its minimum and maximum of block_number.
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
SELECT SHA256(concat('new_pool|', {chain:String}, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(log_index))),
  {chain:String}, 'new_pool', 1, severity, block_number, block_hash, block_time, tx_hash, log_index,
  concat('New ', protocol, ' pool of ', arrayStringConcat(arrayMap(token -> concat('0x', lower(hex(token))), tokens), ' and ')), NULL, 0, tokens[1],
  factory, toFixedString('', 20), false, {generation:UInt32}, toUInt64({generation:UInt32}) * 2
FROM pool_sightings
CROSS JOIN (
  SELECT argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds
  WHERE chain = {chain:String} AND rule = 'new_pool' HAVING count() > 0
) AS t
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND source = 'created' AND trusted
ORDER BY block_number, log_index
