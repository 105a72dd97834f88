-- Transactions as movements between owners: what the outputs pay to others than who holds the inputs. Grain: one transaction.
-- Parameters: chain, from, to, generation. Sort keys: btc_transactions, btc_inputs, btc_outputs (chain, block_number, tx_index, …), prices (chain, token, block_number).
-- Equal sums go to the address that sorts first, so the order of rows changes nothing. Amounts are exact.
INSERT INTO btc_flows (chain, block_number, net, tx_index, block_hash, block_time, txid, flow, from_address, from_label, from_entity, from_class, to_address, to_label, to_entity, to_class,
  inputs, outputs, unresolved_inputs, fee, value_usd, price_method, named, generation)
WITH
  given AS (
    SELECT block_number, tx_index, arraySort(x -> (-toInt64(x.2), x.1), groupArray((id, total, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(id)))))))) AS sides
    FROM (
      SELECT block_number, tx_index, toFixedString(substring(SHA256(address), 1, 20), 20) AS id, sum(assumeNotNull(value)) AS total FROM btc_inputs
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND address != '' AND value IS NOT NULL
      GROUP BY block_number, tx_index, id
    ) GROUP BY block_number, tx_index
  ),
  taken AS (
    SELECT block_number, tx_index, arraySort(x -> (-toInt64(x.2), x.1), groupArray((id, total, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(id)))))))) AS sides
    FROM (
      SELECT block_number, tx_index, toFixedString(substring(SHA256(address), 1, 20), 20) AS id, sum(value) AS total FROM btc_outputs
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND address != '' AND value > 0
      GROUP BY block_number, tx_index, id
    ) GROUP BY block_number, tx_index
  )
SELECT {chain:String}, block_number, net, tx_index, block_hash, block_time, txid,
  multiIf(coinbase, 'coinbase', empty(others) OR (named.3.2 != '' AND named.3.2 = payee.3.2), 'internal', payee.3.3 = 'exchange', 'exchange_inflow', named.3.3 = 'exchange', 'exchange_outflow', 'transfer'),
  ins[1].1, named.3.1, named.3.2, named.3.3, payee.1, payee.3.1, payee.3.2, payee.3.3,
  input_count, output_count, unresolved_inputs, fee, if(usd > 0, toFloat64(net) / 1e8 * usd, NULL), if(usd > 0, method, ''),
  arrayConcat(arrayMap(o -> (o.3.2, o.3.3, o.2, 0), arrayFilter(o -> o.3.2 != '', outs)), arrayMap(i -> (i.3.2, i.3.3, 0, i.2), arrayFilter(i -> i.3.2 != '', ins))), {generation:UInt32}
FROM (
  SELECT *, arrayFilter(o -> NOT has(ins.1, o.1) AND (named.3.2 = '' OR o.3.2 != named.3.2), outs) AS others, arraySum(others.2) AS net,
    if(arrayExists(o -> o.3.1 != '', others), arrayFirst(o -> o.3.1 != '', others), others[1]) AS payee
  FROM (
    SELECT t.block_number AS block_number, t.tx_index AS tx_index, t.block_hash AS block_hash, t.block_time AS block_time, t.txid AS txid, t.coinbase AS coinbase,
      if(t.coinbase, 0, t.input_count) AS input_count, t.output_count AS output_count, t.unresolved_inputs AS unresolved_inputs, t.fee AS fee, g.sides AS ins, o.sides AS outs,
      if(arrayExists(i -> i.3.1 != '', ins), arrayFirst(i -> i.3.1 != '', ins), ins[1]) AS named, p.usd AS usd, p.method AS method
    FROM btc_transactions AS t
    LEFT JOIN given AS g ON g.block_number = t.block_number AND g.tx_index = t.tx_index
    LEFT JOIN taken AS o ON o.block_number = t.block_number AND o.tx_index = t.tx_index
    LEFT JOIN (
      SELECT block_number, usd, method FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
    ) AS p ON p.block_number = t.block_number
    WHERE t.chain = {chain:String} AND t.block_number BETWEEN {from:UInt64} AND {to:UInt64}
  )
)
ORDER BY block_number, tx_index
