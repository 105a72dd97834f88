-- What an address of Bitcoin put into mixers that labels or others know and took out of them itself, by shares of whole transactions as in listBtcDealings.sql. Grain: one mixer and direction.
-- Where an input is unresolved how much is not known: amount is null, and value_usd, if one of those transfers is such. CoinJoins (of confidence 50 and more) are told by listJoinUses.sql, whoever is in them.
-- Parameters: chain, address (hex without 0x), upto (height), most (of its newest transactions), limit, others (mixers that labels do not know, as in listMixerUses.sql).
-- Sort keys: address_transfers (chain, address, block_number, …), read in reverse; btc_inputs, btc_outputs, btc_coinjoins (chain, block_number, tx_index, …), prices (chain, token, block_number); label_of is in memory.
WITH
  toFixedString(unhex({address:String}), 20) AS me,
  newest AS MATERIALIZED (
    SELECT a.block_number AS block_number, a.position AS tx_index FROM address_transfers AS a WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND a.block_number <= {upto:UInt64}
    ORDER BY a.chain DESC, a.address DESC, a.block_number DESC, a.kind DESC, a.position DESC LIMIT 1 BY a.block_number, a.position LIMIT {most:UInt32}
  ),
  sides AS (
    SELECT block_number, any(p.hash) AS txid, any(p.at) AS at, groupArray((p.id, p.given, p.taken)) AS parties, sum(p.given) AS whole, sumIf(p.given, p.id = me) AS gave, sumIf(p.taken, p.id = me) AS got, max(p.lost) AS blank
    FROM (
      SELECT block_number, tx_index, id, any(g.hash) AS hash, any(g.at) AS at, toUInt128(sum(g.gave)) AS given, toUInt128(sum(g.got)) AS taken, max(g.lost) AS lost
      FROM (
        SELECT i.block_number AS block_number, i.tx_index AS tx_index, i.party_id AS id, i.txid AS hash, i.block_time AS at, ifNull(i.value, 0) AS gave, toUInt64(0) AS got, i.prevout = 'unresolved' AS lost FROM btc_inputs AS i
        WHERE i.chain = {chain:String} AND (i.block_number, i.tx_index) IN (SELECT block_number, tx_index FROM newest)
        UNION ALL
        SELECT o.block_number, o.tx_index, o.party_id, o.txid, o.block_time, 0, o.value, 0 FROM btc_outputs AS o
        WHERE o.chain = {chain:String} AND (o.block_number, o.tx_index) IN (SELECT block_number, tx_index FROM newest) AND o.value > 0
      ) AS g GROUP BY block_number, tx_index, id
    ) AS p
    WHERE (block_number, tx_index) NOT IN (SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number IN (SELECT block_number FROM newest) AND c.confidence >= 50)
    GROUP BY block_number, tx_index
  )
SELECT m.mixer AS mixer, any(if(m.known.4 = 'mixer', m.known.1, m.told[2])) AS label, any(if(m.known.4 = 'mixer', m.known.2, m.told[3])) AS protocol, any(toNullable(if(m.known.4 = 'mixer', m.known.3, toUInt8OrZero(m.told[4])))) AS confidence, m.way.1 AS direction, concat('0x', repeat('00', 20)) AS token, toFloat64(count()) AS transfers,
  if(countIf(m.blank) = 0, toString(sum(m.way.3)), NULL) AS amount, if(countIf(m.blank OR r.rate IS NULL) = 0, sum(toFloat64(m.way.3) / 1e8 * r.rate), NULL) AS value_usd, min(m.at) AS first_seen, max(m.at) AS last_seen, lower(hex(argMax(m.txid, (m.way.3, m.block_number)))) AS tx_hash
FROM (
  SELECT s.block_number AS block_number, s.txid AS txid, s.at AS at, s.blank AS blank, concat('0x', lower(hex(party.1))) AS mixer, dictGet('label_of', ('label', 'entity', 'sure', 'category'), ({chain:String}, mixer)) AS known, arrayFirst(o -> o[1] = mixer, {others:Array(Array(String))}) AS told,
    arrayJoin([('withdrawal', got > 0 AND party.2 > 0, if(blank, 0, intDiv(got * party.2, greatest(whole, 1)))), ('deposit', gave > 0 AND party.3 > 0, if(blank, 0, intDiv(gave * party.3, greatest(whole, 1))))]) AS way
  FROM sides AS s ARRAY JOIN parties AS party
  WHERE party.1 NOT IN (me, toFixedString('', 20)) AND (known.4 = 'mixer' OR notEmpty(told))
) AS m
LEFT JOIN (SELECT p.block_number AS block_number, toNullable(p.usd) AS rate FROM prices AS p WHERE p.chain = {chain:String} AND p.token = toFixedString('', 20) AND p.usd > 0 AND p.block_number IN (SELECT block_number FROM newest)) AS r ON r.block_number = m.block_number
WHERE m.way.2
GROUP BY m.mixer, m.way.1
ORDER BY transfers DESC, mixer, direction
LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
