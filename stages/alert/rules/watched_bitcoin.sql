-- What addresses of Bitcoin that somebody watches at this moment received and spent. Grain: one output it received, or one transaction it spends in, with its inputs less what came back to it (where more came
-- back than it brought, that is what came in). Parameters: chain, from, to, generation.
-- A movement names one payer of many, so spending is told by inputs; what moves nothing to another is not told. other: who got (or brought) most of the others: of those who got, one on a sanctions list
-- first, then one of a bad class, then one with a label; zero where an input is not known and so is the payer, and in a CoinJoin (of confidence 50 and more), where nobody knows who paid whom. sub: of what was spent the address's first input, which no list changes.
-- Sort keys: transfers (chain, block_number, kind, …), btc_inputs, btc_outputs, btc_coinjoins (chain, block_number, tx_index, …), prices (chain, token, block_number), btc_parties (id); watched_addresses and
-- sanctions_changes are small and read whole.
INSERT INTO watched_transfers (chain, block_number, address, kind, position, sub, direction, block_hash, block_time, tx_hash, token, token_symbol, token_decimals, other, other_label, other_class, amount, token_id, value_usd, generation)
WITH
  toFixedString('', 20) AS nobody,
  joined AS (SELECT c.block_number, c.tx_index FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND c.generation = {generation:UInt32} AND c.confidence >= 50),
  watched AS (SELECT w.id FROM watched_addresses AS w FINAL WHERE w.chain = {chain:String} AND NOT w.removed),
  spent AS (SELECT block_number, tx_index FROM btc_inputs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND party_id IN watched AND value > 0),
  sides AS (
    SELECT block_number, tx_index, id, sum(g) AS given, sum(t) AS taken, min(place) AS first, max(unknown) AS lost, any(hash) AS block_hash, any(time) AS block_time, any(tx) AS txid
    FROM (
      SELECT block_number, tx_index, party_id AS id, toInt64(ifNull(value, 0)) AS g, toInt64(0) AS t, vin AS place, prevout = 'unresolved' AS unknown, block_hash AS hash, block_time AS time, txid AS tx FROM btc_inputs
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND (block_number, tx_index) IN spent
      UNION ALL
      SELECT block_number, tx_index, party_id, 0, toInt64(value), 4294967295, 0, block_hash, block_time, txid FROM btc_outputs
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND (block_number, tx_index) IN spent AND value > 0
    ) GROUP BY block_number, tx_index, id
  ),
  listed AS (
    SELECT p.id FROM btc_parties AS p WHERE p.id IN (SELECT id FROM sides) AND lower(p.address) IN (
      SELECT c.key FROM sanctions_changes AS c GROUP BY c.register, c.list_id, c.key, c.asset HAVING argMax(c.change, c.version) = 'added')
  )
SELECT {chain:String}, block_number, address, kind, position, sub, direction, block_hash, block_time, tx_hash, nobody, 'BTC', 8, other, other_label, other_class, amount, 0, value_usd, {generation:UInt32}
FROM (
  SELECT block_number, to_address AS address, toString(kind) AS kind, position, sub, 'in' AS direction, block_hash, block_time, tx_hash, if((t.block_number, t.position) IN joined AS mixed, nobody, from_address) AS other, if(mixed, '', from_label) AS other_label, if(mixed, 'coinjoin', from_class) AS other_class, amount, value_usd
  FROM transfers AS t
  WHERE t.chain = {chain:String} AND t.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND t.generation = {generation:UInt32} AND t.to_address IN watched AND t.from_address != t.to_address AND t.amount > 0
  UNION ALL
  SELECT s.block_number, me.1, 'utxo', s.tx_index, me.4, if(net > 0, 'out', 'in'), s.block_hash, s.block_time, s.txid, far.1, far.5.1, far.5.2, toUInt256(abs(net)), if(r.usd > 0, toFloat64(abs(net)) / 1e8 * r.usd, NULL)
  FROM (
    SELECT block_number, tx_index, (block_number, tx_index) IN joined AS mixed, block_hash, block_time, txid, blank, me, me.2 - me.3 AS net, arrayFilter(x -> x.1 != me.1 AND x.1 != nobody AND if(net > 0, x.3, x.2) > 0, parties) AS others,
      multiIf(mixed, (nobody, toInt64(0), toInt64(0), toUInt32(0), ('', 'coinjoin'), toUInt8(0)), net < 0 AND blank, (nobody, toInt64(0), toInt64(0), toUInt32(0), ('', 'unresolved'), toUInt8(0)), arrayReverseSort(x -> if(net > 0, (x.6, x.5.1 != '', x.3 - x.2, x.1), (toUInt8(0), false, x.2, x.1)), others)[1]) AS far
    FROM (
      SELECT block_number, tx_index, any(block_hash) AS block_hash, any(block_time) AS block_time, any(txid) AS txid, max(lost) AS blank,
        groupArray((id, given, taken, first, dictGetOrDefault('label_of', ('label', 'category'), ({chain:String}, concat('0x', lower(hex(id)))), ('', 'unknown')) AS said,
          multiIf(id IN listed OR said.2 = 'sanctioned', toUInt8(2), said.2 IN ('mixer', 'hack', 'ransomware', 'scam', 'extremism', 'blacklisted', 'market'), 1, 0))) AS parties,
        groupArrayIf((id, given, taken, first), given > 0 AND id IN watched) AS mine
      FROM sides GROUP BY block_number, tx_index
    )
    ARRAY JOIN mine AS me
  ) AS s
  LEFT JOIN (SELECT block_number, usd FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}) AS r ON r.block_number = s.block_number
  WHERE net != 0 AND (notEmpty(others) OR (net < 0 AND blank))
)
ORDER BY block_number, address, kind, position, sub
SETTINGS max_threads = 1
