-- Rule exchange_cold, version 3: a labelled address of an exchange that took in a million dollars or more from others and paid nobody but addresses of that exchange.
-- What has no price is no part of the million; value_usd, of all it took in, is null then. Grain: one address. Parameters: chain, version, height. Sort key: address_transfers (chain, address, block_number, …), by the exchanges' addresses.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
WITH exchanges AS MATERIALIZED (
  SELECT toFixedString(unhex(substring(l.address, 3)), 20) AS account, if(l.entity = '', l.label, l.entity) AS owner FROM labels_now AS l
  WHERE l.chain = {chain:String} AND l.category = 'exchange' AND match(l.address, '^0x[0-9a-f]{40}$')
)
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(account))) AS address, concat(owner, ': cold wallet'), owner, 'exchange_cold', 'exchange_cold', 3, 'heuristic', began, ins + own, low, high, if(unpriced = 0, toNullable(gained), NULL), examples,
  map('received', toString(ins), 'senders', toString(senders), 'paid_to_own', toString(own), 'paid_to_others', '0')
FROM (
  SELECT a.address AS account, any(mine.owner) AS owner, countIf(a.direction = 'in') AS ins, uniqExactIf(a.other, a.direction = 'in') AS senders, countIf(a.direction = 'out' AND theirs.owner = mine.owner) AS own,
    countIf(a.direction = 'out' AND theirs.owner != mine.owner) AS strange, sumIf(ifNull(a.value_usd, 0), a.direction = 'in') AS gained, countIf(a.direction = 'in' AND isNull(a.value_usd)) AS unpriced, min(a.block_time) AS began, min(a.block_number) AS low, max(a.block_number) AS high,
    groupArraySortedIf(3)((a.block_number, a.tx_hash, a.position), a.direction = 'in') AS examples
  FROM address_transfers AS a
  INNER JOIN exchanges AS mine ON mine.account = a.address
  LEFT JOIN exchanges AS theirs ON theirs.account = a.other
  WHERE a.chain = {chain:String} AND a.address IN (SELECT account FROM exchanges) AND a.block_number <= {height:UInt64} AND a.amount > 0 AND a.other != a.address AND a.kind IN ('native', 'internal', 'erc20')
    AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))))
  GROUP BY account
)
WHERE strange = 0 AND gained >= 1000000
SETTINGS enable_materialized_cte = 1
