-- Rule whale, version 4: an address that signs transactions, that no register names, and whose single movements (of the chain's coin and listed tokens) of a million dollars or more to and from others came to ten million in the last 30 indexed days.
-- A token that is not listed says what it likes of anybody, at what its maker's pool says, so it is not looked at. Version 3 looked at any.
-- Grain: one address. Parameters: chain, version, height. Sort keys: transfers (chain, block_number, …), by height and by_value; transactions (chain, block_number, …), by height.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
WITH
  (SELECT max(b.block_time) FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_number = {height:UInt64}) - INTERVAL 30 DAY AS since,
  (SELECT min(b.block_number) FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_time > since) AS low,
  movers AS (
    SELECT side.1 AS account, count() AS moves, sum(t.value_usd) AS usd, sumIf(t.value_usd, side.2) AS usd_in, min(t.block_time) AS began, min(t.block_number) AS first_move, max(t.block_number) AS last_move,
      groupArraySorted(3)((t.block_number, t.tx_hash, t.position)) AS examples
    FROM transfers AS t ARRAY JOIN [(t.to_address, true), (t.from_address, false)] AS side
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN low AND {height:UInt64} AND t.value_usd >= 1000000 AND t.kind IN ('native', 'internal', 'erc20') AND t.from_address != t.to_address
      AND (t.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(t.token))))))
    GROUP BY account HAVING usd >= 10000000
  )
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(m.account))) AS address, 'whale', '', 'whale', 'whale', 4, 'heuristic', m.began, m.moves, m.first_move, m.last_move, m.usd, m.examples,
  map('movements', toString(m.moves), 'usd_in', toString(round(m.usd_in)), 'usd_out', toString(round(m.usd - m.usd_in)), 'days', '30')
FROM movers AS m
WHERE NOT dictHas('label_of', ({chain:String}, concat('0x', lower(hex(m.account)))))
  AND m.account IN (SELECT t.from_address FROM transactions AS t WHERE t.chain = {chain:String} AND t.block_number BETWEEN low AND {height:UInt64} AND t.from_address IN (SELECT account FROM movers))
