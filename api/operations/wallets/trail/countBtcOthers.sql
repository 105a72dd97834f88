-- With how many others some addresses of Bitcoin moved anything, at least: those on the other side of the newest transactions of each, or if they are more, those its rows name (one of each transaction).
-- Grain: one address that moved something. Parameters: chain, addresses (hex without 0x), each (newest transactions of one), most (of all).
-- Sort keys: address_transfers (chain, address, …), btc_inputs, btc_outputs (chain, block_number, tx_index, …).
WITH
  moved AS MATERIALIZED (
    SELECT a.address AS me, a.block_number AS block_number, a.position AS tx_index, max(a.direction = 'out') AS gave, max(a.direction = 'in') AS got, anyIf(a.other, a.other != a.address) AS named FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) AND a.amount > 0 GROUP BY me, block_number, tx_index
  ),
  newest AS MATERIALIZED (SELECT * FROM (SELECT * FROM moved ORDER BY me, block_number DESC, tx_index DESC LIMIT {each:UInt32} BY me) ORDER BY me, block_number, tx_index LIMIT {most:UInt32}),
  sides AS (
    SELECT i.block_number AS block_number, i.tx_index AS tx_index, i.party_id AS id, true AS gave FROM btc_inputs AS i
    WHERE i.chain = {chain:String} AND (i.block_number, i.tx_index) IN (SELECT block_number, tx_index FROM newest) AND i.value > 0
    UNION ALL
    SELECT o.block_number, o.tx_index, o.party_id, false FROM btc_outputs AS o
    WHERE o.chain = {chain:String} AND (o.block_number, o.tx_index) IN (SELECT block_number, tx_index FROM newest) AND o.value > 0
  )
SELECT concat('0x', lower(hex(c.me))) AS address, toFloat64(max(c.others)) AS counterparties
FROM (
  SELECT m.me AS me, uniqExactIf(m.named, m.named != toFixedString('', 20)) AS others FROM moved AS m GROUP BY me
  UNION ALL
  SELECT n.me, uniqExact(s.id) FROM newest AS n INNER JOIN sides AS s ON s.block_number = n.block_number AND s.tx_index = n.tx_index
  WHERE s.id NOT IN (n.me, toFixedString('', 20)) AND if(s.gave, n.got, n.gave) GROUP BY n.me
) AS c GROUP BY c.me
SETTINGS enable_materialized_cte = 1
