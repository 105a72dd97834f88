-- Rule exchange_cold, version 3: a labelled address of an exchange that took in a million dollars or more from others and paid nobody but addresses of that exchange.
-- What has no price is no part of the million; value_usd, of all it took in, is null then. Grain: one address. Parameters: chain, version, height. Sort key: address_transfers (chain, address, block_number, …), by the exchanges' addresses.
-- Its senders are counted of one that is cold alone: those of all of an exchange's addresses are its customers, and a set of them does not fit into memory.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
WITH
  exchanges AS MATERIALIZED (
    SELECT toFixedString(unhex(substring(l.address, 3)), 20) AS account, if(l.entity = '', l.label, l.entity) AS owner FROM labels_now AS l
    WHERE l.chain = {chain:String} AND l.category = 'exchange' AND match(l.address, '^0x[0-9a-f]{40}$')
  ),
  dealings AS (
    SELECT a.address AS account, mine.owner AS owner, theirs.owner = mine.owner AS inside, a.direction AS direction, a.other AS other, a.value_usd AS value_usd, a.block_time AS block_time, a.block_number AS block_number, a.tx_hash AS tx_hash, a.position AS position
    FROM address_transfers AS a
    INNER JOIN exchanges AS mine ON mine.account = a.address
    LEFT JOIN exchanges AS theirs ON theirs.account = a.other
    WHERE a.chain = {chain:String} AND a.address IN (SELECT account FROM exchanges) AND a.block_number <= {height:UInt64} AND a.amount > 0 AND a.other != a.address AND a.kind IN ('native', 'internal', 'erc20')
      AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))))
  )
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(account))) AS address, concat(owner, ': cold wallet'), owner, 'exchange_cold', 'exchange_cold', 3, 'heuristic', began, ins + own, low, high, if(unpriced = 0, toNullable(gained), NULL), examples,
  map('received', toString(ins), 'senders', toString(senders), 'paid_to_own', toString(own), 'paid_to_others', '0')
FROM (
  SELECT d.account AS account, any(d.owner) AS owner, countIf(d.direction = 'in') AS ins, uniqExactIf(d.other, d.direction = 'in') AS senders, countIf(d.direction = 'out') AS own,
    sumIf(ifNull(d.value_usd, 0), d.direction = 'in') AS gained, countIf(d.direction = 'in' AND isNull(d.value_usd)) AS unpriced, min(d.block_time) AS began, min(d.block_number) AS low, max(d.block_number) AS high,
    groupArraySortedIf(3)((d.block_number, d.tx_hash, d.position), d.direction = 'in') AS examples
  FROM dealings AS d
  WHERE d.account IN (SELECT c.account FROM dealings AS c GROUP BY c.account HAVING countIf(c.direction = 'out' AND NOT c.inside) = 0 AND sumIf(ifNull(c.value_usd, 0), c.direction = 'in') >= 1000000)
  GROUP BY account
)
SETTINGS enable_materialized_cte = 1
