-- Rules on transfers. whale_transfer: great value. exchange_inflow, exchange_outflow: value that enters or leaves an exchange,
-- which what it moves within itself does not: both sides are of one entity or, where labels name none, of one label. Version 2 of these two: before, exchanges without an entity were silent.
-- Of a token that no list names the dollars are what its own pools say, which whoever made it made: these three tell them as that, and are low whatever the thresholds say.
-- Version 2 of whale_transfer and 3 of the other two: before, they were believed. What was raised before stays as it was told.
-- mixer_use: value that enters or leaves a mixer, of the coin or a listed token: one that is not listed says what it likes of anybody. Version 2: before, any token counted. Grain: one transfer under one rule. Parameters: chain, from, to, generation.
-- A rule without a threshold on the chain is silent. The id is a hash of rule, chain, block, transaction and position: the same event has
-- the same id for ever. Sort key: transfers (chain, block_number, kind, position, sub). One statement, because transfers are read once.
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
WITH (
  SELECT min(threshold) FROM (
    SELECT argMax(threshold, version) AS threshold FROM alert_thresholds
    WHERE chain = {chain:String} AND rule IN ('whale_transfer', 'exchange_inflow', 'exchange_outflow') GROUP BY rule)
) AS lowest
SELECT SHA256(concat(rule, '|', {chain:String}, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(kind), ':', toString(position), ':', toString(sub))),
  {chain:String}, rule, if(rule IN ('exchange_inflow', 'exchange_outflow'), 3, 2), if(own_pools, 'low', severity), block_number, block_hash, block_time, tx_hash, position,
  concat(quantity, ' ', asset, ' (', dollars, ')', multiIf(
    rule = 'whale_transfer', concat(' moved from ', sender, ' to ', receiver),
    rule = 'exchange_inflow', concat(' went into exchange ', receiver, ' from ', sender),
    rule = 'exchange_outflow', concat(' left exchange ', sender, ' for ', receiver),
    to_class = 'mixer', concat(' entered mixer ', receiver, ' from ', sender), concat(' left mixer ', sender, ' for ', receiver))),
  value_usd, amount, token, from_address, to_address, false, {generation:UInt32}, toUInt64({generation:UInt32}) * 2
FROM (
  SELECT *, arrayJoin(arrayFilter(r -> r != '', [
    if(from_address != to_address, 'whale_transfer', ''),
    if(to_class = 'exchange' AND (from_entity != to_entity OR (to_entity = '' AND from_label != to_label)), 'exchange_inflow', ''),
    if(from_class = 'exchange' AND (from_entity != to_entity OR (to_entity = '' AND from_label != to_label)), 'exchange_outflow', ''),
    if((from_class = 'mixer') != (to_class = 'mixer') AND known, 'mixer_use', '')])) AS rule
  FROM told_transfers
  WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND kind IN ('native', 'internal', 'erc20') AND amount > 0
    -- Transfers below every threshold are not put into words.
    AND ((value_usd > 0 AND value_usd >= lowest) OR from_class = 'mixer' OR to_class = 'mixer')
) AS e
INNER JOIN (
  SELECT rule, argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds WHERE chain = {chain:String} GROUP BY rule
) AS t ON t.rule = e.rule
WHERE ifNull(value_usd, 0) >= threshold
ORDER BY block_number, kind, position, sub, rule
