-- With whom an address of Bitcoin moved value, one by one or class by class, the most dollars first, then the most transfers. What it moved to another is what that one's outputs got times its own share
-- of the inputs, and what came from another is what its own outputs got times the other's share: in satoshis, rounded down. Its own change is neither.
-- Where an input is unresolved nobody's share is known: who else brought or got something is told without an amount (unpriced), and what came in beyond its own inputs came from the zero address. So did what was mined.
-- Nor is anybody's share known in a CoinJoin (of confidence 50 and more): who else is in it is told without an amount, too.
-- Of whom no label names an owner or a class, the cluster may tell both, as known now, if it goes by a name: cluster is then its id, and by_cluster_now how many of the class are known by it alone.
-- By class it is asked of the 1,000 such with the most; of the others nothing is known.
-- Grain: one counterparty, or one class of them. Transfers are transactions, one each way. confidence: of what says so, by value; null where nobody does or nothing has a price. Dollars are added up exactly, in millionths. cut: it has more transactions than were looked through. unresolved: an input of one of those that were is. unassigned: dollars it brought and got where nobody's share is known, at most (of all, in every row).
-- Parameters: chain, address (hex without 0x), classes (whether by class), most (of its newest transactions), limit, own (hex of a cluster that tells nobody's owner, as that of the address itself; '': none).
-- Sort keys: address_transfers (chain, address, block_number, …), read in reverse; btc_inputs, btc_outputs, btc_coinjoins (chain, block_number, tx_index, …), prices (chain, token, block_number); btc_cluster_members (chain, address), by those whom nobody names.
WITH
  toFixedString(unhex({address:String}), 20) AS me, toFixedString('', 20) AS nobody,
  found AS MATERIALIZED (
    SELECT a.block_number AS block_number, a.position AS tx_index FROM address_transfers AS a WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20)
    ORDER BY a.chain DESC, a.address DESC, a.block_number DESC, a.kind DESC, a.position DESC LIMIT 1 BY a.block_number, a.position LIMIT {most:UInt32} + 1
  ),
  newest AS MATERIALIZED (SELECT f.block_number AS block_number, f.tx_index AS tx_index FROM found AS f ORDER BY block_number DESC, tx_index DESC LIMIT {most:UInt32}),
  sides AS (
    SELECT block_number, tx_index, groupArray((id, given, taken)) AS parties, sum(given) AS whole, sumIf(given, id = me) AS gave, sumIf(taken, id = me) AS got, max(lost) AS lacking, lacking OR (block_number, tx_index) IN (SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number IN (SELECT block_number FROM newest) AND c.confidence >= 50) AS blank, max(none) AS ownerless
    FROM (
      SELECT block_number, tx_index, id, toUInt128(sum(g)) AS given, toUInt128(sum(t)) AS taken, max(lost) AS lost, max(none) AS none
      FROM (
        SELECT i.block_number AS block_number, i.tx_index AS tx_index, i.party_id AS id, ifNull(i.value, 0) AS g, toUInt64(0) AS t, i.prevout = 'unresolved' AS lost, i.prevout IN ('unresolved', 'coinbase') AS none FROM btc_inputs AS i
        WHERE i.chain = {chain:String} AND (i.block_number, i.tx_index) IN (SELECT block_number, tx_index FROM newest)
        UNION ALL
        SELECT o.block_number, o.tx_index, o.party_id, 0, o.value, 0, 0 FROM btc_outputs AS o
        WHERE o.chain = {chain:String} AND (o.block_number, o.tx_index) IN (SELECT block_number, tx_index FROM newest) AND o.value > 0
      )
      GROUP BY block_number, tx_index, id
    )
    GROUP BY block_number, tx_index
  ),
  moved AS (
    SELECT party.1 AS other, s.lacking AS lacking, s.blank AS blank, r.usd AS rate, multiIf(other = me, false, other = nobody, ownerless AND got > gave, got > 0 AND party.2 > 0) AS came, other NOT IN (me, nobody) AND gave > 0 AND party.3 > 0 AS went,
      round(toFloat64(multiIf(other = nobody, toNullable(got - least(gave, got)), blank, NULL, intDiv(got * party.2, greatest(whole, 1)))) / 1e8 * rate, 6) AS usd_came, round(toFloat64(if(blank, NULL, toNullable(intDiv(gave * party.3, greatest(whole, 1))))) / 1e8 * rate, 6) AS usd_went,
      if(other = me AND blank, round(toFloat64(gave + if(ownerless, least(gave, got), got)) / 1e8 * rate, 6), 0) AS usd_blank
    FROM sides AS s
    LEFT JOIN (SELECT p.block_number AS block_number, toNullable(p.usd) AS usd FROM prices AS p WHERE p.chain = {chain:String} AND p.token = toFixedString('', 20) AND p.usd > 0 AND p.block_number IN (SELECT block_number FROM newest)) AS r ON r.block_number = s.block_number
    ARRAY JOIN parties AS party
    WHERE came OR went OR usd_blank > 0
  ),
  dealt AS MATERIALIZED (
    SELECT m.other AS other, concat('0x', lower(hex(m.other))) AS id, dictGet('label_of', ('label', 'entity', 'category', 'sure'), ({chain:String}, id)) AS own, countIf(m.came) AS ins, countIf(m.went) AS outs,
      sumIf(toDecimal256(least(ifNull(m.usd_came, 0), 1e60), 6), m.came) AS usd_ins, sumIf(toDecimal256(least(ifNull(m.usd_went, 0), 1e60), 6), m.went) AS usd_outs, countIf(m.came AND isNull(m.usd_came)) + countIf(m.went AND isNull(m.usd_went)) AS blank, max(m.lacking) AS unsure, sum(sum(toDecimal256(least(ifNull(m.usd_blank, 0), 1e60), 6))) OVER () AS usd_blanks
    FROM moved AS m GROUP BY m.other
  )
SELECT any(e.id) AS address, any(e.known.1) AS label, any(e.known.2) AS entity, e.known.3 AS classification, toFloat64(count()) AS counterparties, toFloat64(sum(e.ins)) AS transfers_in, toFloat64(sum(e.outs)) AS transfers_out,
  toFloat64(sum(e.usd_ins)) AS usd_in, toFloat64(sum(e.usd_outs)) AS usd_out, toFloat64(sum(e.blank)) AS unpriced,
  nullIf(any(e.cluster), '') AS cluster, toFloat64(countIf(e.cluster != '')) AS by_cluster_now, if(classification = 'unknown' OR usd_in + usd_out = 0, NULL, round(toFloat64(sum((e.usd_ins + e.usd_outs) * e.known.4)) / (usd_in + usd_out))) AS confidence, (SELECT count() FROM found) > {most:UInt32} AS cut, max(max(e.unsure)) OVER () AS unresolved, toFloat64(any(e.usd_blanks)) AS unassigned
FROM (
  SELECT d.id AS id, d.ins AS ins, d.outs AS outs, d.usd_ins AS usd_ins, d.usd_outs AS usd_outs, d.blank AS blank, d.unsure AS unsure, d.usd_blanks AS usd_blanks, if(o.entity = '', '', lower(hex(o.cluster))) AS cluster,
    if(o.entity = '', (d.own.1, d.own.2, toString(d.own.3), d.own.4), (d.own.1, o.entity, o.category, o.sure)) AS known
  FROM dealt AS d
  LEFT JOIN (
    SELECT address, cluster, entity, category, sure FROM btc_owners_now WHERE chain = {chain:String} AND address IN (
      SELECT n.other FROM dealt AS n WHERE n.other != me AND n.own.2 = '' AND n.own.3 IN ('', 'unknown') ORDER BY n.usd_ins + n.usd_outs DESC, n.ins + n.outs DESC, n.id LIMIT if({classes:Bool}, 1000, {limit:UInt32})
    ) AND cluster != toFixedString(unhex({own:String}), 20)
  ) AS o ON o.address = d.other
  WHERE d.other != me
) AS e
GROUP BY classification, if({classes:Bool}, '', e.id)
ORDER BY usd_in + usd_out DESC, transfers_in + transfers_out DESC, if({classes:Bool}, classification, ''), address
LIMIT {limit:UInt32}
SETTINGS enable_materialized_cte = 1
