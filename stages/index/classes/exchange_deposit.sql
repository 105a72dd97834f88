-- Rule exchange_deposit, version 2: an address that only sends to one exchange is where that exchange takes deposits of one customer.
-- It holds where every outgoing movement (of the chain's coin and listed tokens) goes to labelled addresses of one exchange, each token it forwards came
-- first at most a day before it was first forwarded, and of each the sum forwarded is 0.9 to 1.1 of the sum received.
-- A token that is not listed says what it likes of anybody, so it is not looked at. An address that a register names is not judged.
-- value_usd: of what it forwarded; null where a part has no price. Grain: one address. Parameters: chain, version, height, first and last (of the slice of addresses, in hex). Sort key: address_transfers (chain, address, block_number, …), by the exchanges' addresses, then by those that sent to them.
INSERT INTO label_candidates (version, chain, address, label, entity, category, rule, rule_version, level, valid_from, evidence_rows, first_block, last_block, value_usd, examples, facts)
WITH
  exchanges AS MATERIALIZED (
    SELECT toFixedString(unhex(substring(l.address, 3)), 20) AS account, if(l.entity = '', l.label, l.entity) AS owner FROM labels_now AS l
    WHERE l.chain = {chain:String} AND l.category = 'exchange' AND match(l.address, '^0x[0-9a-f]{40}$')
  ),
  senders AS (
    SELECT DISTINCT i.other AS account FROM address_transfers AS i
    WHERE i.chain = {chain:String} AND i.address IN (SELECT account FROM exchanges) AND i.block_number <= {height:UInt64} AND i.direction = 'in' AND i.amount > 0 AND i.kind IN ('native', 'internal', 'erc20')
      AND i.other BETWEEN toFixedString(unhex({first:String}), 20) AND toFixedString(unhex({last:String}), 20)
      AND i.other NOT IN (SELECT toFixedString(unhex(substring(l.address, 3)), 20) FROM labels_now AS l WHERE l.chain = {chain:String} AND match(l.address, '^0x[0-9a-f]{40}$'))
  )
SELECT {version:UInt64}, {chain:String}, concat('0x', lower(hex(account))) AS address, concat(owner, ': deposit'), owner, 'exchange_deposit', 'exchange_deposit', 2, 'heuristic',
  began, forwards, first_forward, last_forward, usd, examples,
  map('tokens_forwarded', toString(tokens), 'forwards', toString(forwards), 'received', toString(receipts), 'least_share', toString(round(least_share, 4)), 'most_share', toString(round(most_share, 4)), 'longest_wait_seconds', toString(longest_wait))
FROM (
  SELECT account, arrayDistinct(arrayFlatten(groupArray(owners))) AS all_owners, all_owners[1] AS owner, countIf(outs > 0) AS tokens, sum(outs) AS forwards, sum(ins) AS receipts, if(sum(unpriced_outs) = 0, toNullable(sum(usd_out)), NULL) AS usd,
    minIf(share, outs > 0) AS least_share, maxIf(share, outs > 0) AS most_share, minIf(first_out - first_in, outs > 0) AS shortest_wait, maxIf(first_out - first_in, outs > 0) AS longest_wait,
    minIf(first_out_at, outs > 0) AS began, minIf(low, outs > 0) AS first_forward, maxIf(high, outs > 0) AS last_forward, arraySlice(arraySort(arrayFlatten(groupArray(samples))), 1, 3) AS examples
  FROM (
    SELECT a.address AS account, a.token AS token, groupUniqArrayIf(2)(e.owner, a.direction = 'out') AS owners, countIf(a.direction = 'in') AS ins, countIf(a.direction = 'out') AS outs,
      toFloat64(sumIf(a.amount, a.direction = 'out')) / greatest(toFloat64(sumIf(a.amount, a.direction = 'in')), 1) AS share, sumIf(ifNull(a.value_usd, 0), a.direction = 'out') AS usd_out, countIf(a.direction = 'out' AND isNull(a.value_usd)) AS unpriced_outs,
      minIf(toUnixTimestamp(a.block_time), a.direction = 'in') AS first_in, minIf(toUnixTimestamp(a.block_time), a.direction = 'out') AS first_out, minIf(a.block_time, a.direction = 'out') AS first_out_at,
      minIf(a.block_number, a.direction = 'out') AS low, maxIf(a.block_number, a.direction = 'out') AS high,
      groupArraySortedIf(3)((a.block_number, a.tx_hash, a.position), a.direction = 'out') AS samples
    FROM address_transfers AS a
    LEFT JOIN exchanges AS e ON e.account = a.other
    WHERE a.chain = {chain:String} AND a.address IN (SELECT account FROM senders) AND a.address BETWEEN toFixedString(unhex({first:String}), 20) AND toFixedString(unhex({last:String}), 20) AND a.block_number <= {height:UInt64} AND a.amount > 0 AND a.amount < bitShiftLeft(toUInt256(1), 200) AND a.kind NOT IN ('erc721', 'erc1155')
    GROUP BY account, token
  )
  WHERE token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(token)))))
  GROUP BY account
)
WHERE tokens > 0 AND length(all_owners) = 1 AND owner != '' AND least_share >= 0.9 AND most_share <= 1.1 AND shortest_wait >= 0 AND longest_wait <= 86400
SETTINGS enable_materialized_cte = 1
