-- CoinJoins that an address of Bitcoin put outputs into or got outputs of. Grain: one detector and direction. Parameters: chain, address (hex without 0x), upto (height).
-- Sort keys: address_transfers (chain, address, block_number, …), btc_coinjoins (chain, block_number, tx_index).
WITH mine AS (
  SELECT a.block_number AS block_number, a.position AS tx_index, a.direction AS direction, sum(toUInt64(a.amount)) AS amount, sum(a.value_usd) AS usd, countIf(a.value_usd IS NULL) AS unpriced
  FROM address_transfers AS a WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.block_number <= {upto:UInt64} GROUP BY ALL
)
SELECT concat('0x', repeat('00', 20)) AS mixer, concat('CoinJoin (', toString(c.detector), ')') AS label, toString(c.detector) AS protocol, toNullable(min(c.confidence)) AS confidence, if(m.direction = 'in', 'withdrawal', 'deposit') AS direction,
  concat('0x', repeat('00', 20)) AS token, toFloat64(count()) AS transfers, toString(sum(m.amount)) AS amount, if(sum(m.unpriced) = 0, sum(m.usd), NULL) AS value_usd, min(c.block_time) AS first_seen, max(c.block_time) AS last_seen, lower(hex(argMax(c.txid, m.amount))) AS tx_hash
FROM mine AS m
INNER JOIN (
  SELECT * FROM btc_coinjoins AS j WHERE j.chain = {chain:String} AND j.confidence >= 50 AND j.block_number IN (SELECT block_number FROM mine)
) AS c ON c.block_number = m.block_number AND c.tx_index = m.tx_index
GROUP BY c.detector, m.direction
ORDER BY transfers DESC, label, direction
