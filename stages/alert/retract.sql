-- Takes back every alert of a height and above that an older generation raised: the same id again, retracted, under a version between
-- that of any older generation and that of the rollback's own. Grain: one alert. Parameters: chain, height, generation (of the rollback).
-- Sort key of alerts: (chain, block_number, id). A later alert of the same event wins over the retraction; a late writer of an older
-- generation loses to it.
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
SELECT id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, true, {generation:UInt32} - 1, toUInt64({generation:UInt32}) * 2 - 1
FROM (
  SELECT * FROM alerts
  WHERE chain = {chain:String} AND block_number >= {height:UInt64}
  ORDER BY block_number, id, version DESC
  LIMIT 1 BY block_number, id
)
WHERE NOT retracted AND generation < {generation:UInt32}
ORDER BY block_number, id
