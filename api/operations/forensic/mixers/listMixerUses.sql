-- What an address put into mixers and took out of them itself. Grain: one mixer, token and direction. Parameters: chain, address (hex without 0x), upto (height), limit,
-- others (mixers that labels do not know, as [address, label, entity, confidence]; where they do, labels say who it is).
-- in: it came out of the mixer to the address; out: it went in. A withdrawal to somebody else's address is not seen here.
-- Only the coin and listed tokens count: a token that is not listed says what it likes of anybody, and pools are of the coin or of tokens that lists name. Sort key: address_transfers (chain, address, block_number, …).
SELECT concat('0x', lower(hex(m.other))) AS mixer, any(if(m.known.4 = 'mixer', m.known.1, m.told[2])) AS label, any(if(m.known.4 = 'mixer', m.known.2, m.told[3])) AS protocol, any(toNullable(if(m.known.4 = 'mixer', m.known.3, toUInt8OrZero(m.told[4])))) AS confidence, if(m.direction = 'in', 'withdrawal', 'deposit') AS direction, concat('0x', lower(hex(m.token))) AS token, toFloat64(count()) AS transfers,
  toString(sum(m.amount)) AS amount, if(countIf(m.usd IS NULL) = 0, sum(m.usd), NULL) AS value_usd, min(m.at) AS first_seen, max(m.at) AS last_seen, concat('0x', lower(hex(argMax(m.tx_hash, (m.amount, m.block_number))))) AS tx_hash
FROM (
  SELECT a.other AS other, a.direction AS direction, a.token AS token, a.amount AS amount, a.value_usd AS usd, a.block_time AS at, a.tx_hash AS tx_hash, a.block_number AS block_number,
    dictGet('label_of', ('label', 'entity', 'sure', 'category'), ({chain:String}, concat('0x', lower(hex(a.other))))) AS known, arrayFirst(o -> o[1] = concat('0x', lower(hex(a.other))), {others:Array(Array(String))}) AS told
  FROM address_transfers AS a
  WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.block_number <= {upto:UInt64} AND a.amount > 0 AND a.amount < bitShiftLeft(toUInt256(1), 200) AND a.kind NOT IN ('erc721', 'erc1155')
    AND (a.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(a.token))))))
) AS m
WHERE m.known.4 = 'mixer' OR notEmpty(m.told)
GROUP BY m.other, m.token, m.direction
ORDER BY transfers DESC, mixer, token, direction
LIMIT {limit:UInt32}
