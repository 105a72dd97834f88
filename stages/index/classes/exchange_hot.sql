-- Rule exchange_hot, version 2: a labelled address of an exchange that paid 10 or more addresses outside of that exchange in the last 30 indexed days.
-- value_usd: of these payments; null where one of them has no price. Grain: one address. Parameters: chain, version, height. Sort key: address_transfers (chain, address, block_number, …), by the exchanges' addresses and height.
-- No block below low is of these days. A block may be earlier than the one before it, so one from low on need not be: the time decides.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
WITH
  (SELECT max(b.block_time) FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_number = {height:UInt64}) - INTERVAL 30 DAY AS since,
  (SELECT min(b.block_number) FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_time > since) AS low,
  exchanges AS MATERIALIZED (
    SELECT toFixedString(unhex(substring(l.address, 3)), 20) AS account, if(l.entity = '', l.label, l.entity) AS owner FROM labels_now AS l
    WHERE l.chain = {chain:String} AND l.category = 'exchange' AND match(l.address, '^0x[0-9a-f]{40}$')
  )
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(account))) AS address, concat(owner, ': hot wallet'), owner, 'exchange_hot', 'exchange_hot', 2, 'heuristic', began, payments, first_payment, last_payment, usd, examples,
  map('payments', toString(payments), 'addresses_paid', toString(paid), 'days', '30')
FROM (
  SELECT a.address AS account, any(mine.owner) AS owner, count() AS payments, uniqExact(a.other) AS paid, min(a.block_time) AS began, min(a.block_number) AS first_payment, max(a.block_number) AS last_payment, if(countIf(isNull(a.value_usd)) = 0, toNullable(sum(ifNull(a.value_usd, 0))), NULL) AS usd,
    groupArraySorted(3)((a.block_number, a.tx_hash, a.position)) AS examples
  FROM address_transfers AS a
  INNER JOIN exchanges AS mine ON mine.account = a.address
  LEFT JOIN exchanges AS theirs ON theirs.account = a.other
  WHERE a.chain = {chain:String} AND a.address IN (SELECT account FROM exchanges) AND a.block_number BETWEEN low AND {height:UInt64} AND a.block_time > since AND a.direction = 'out' AND a.amount > 0 AND a.kind IN ('native', 'internal', 'erc20')
    AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))))
    AND theirs.owner != mine.owner
  GROUP BY account
)
WHERE paid >= 10
SETTINGS enable_materialized_cte = 1
