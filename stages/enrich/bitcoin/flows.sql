-- Transactions as movements between owners: what the outputs pay to others than who holds the inputs. Grain: one transaction.
-- Where an input is unresolved nobody knows who sends, or what is change: the flow is unknown, and so is the sender.
-- One that has a row stays as it was known then: with the labels of later it would have another net, which is part of the table's sort key, and so a second row.
-- Parameters: chain, from, to, generation. Sort keys: btc_flows, btc_transactions, btc_inputs, btc_outputs (chain, block_number, tx_index, …), prices (chain, token, block_number).
-- A script without an address is a party like any other, so all that comes in goes to somebody or to the fee. Of those with a label the one that names an entity goes first; what
-- goes back to the sender is of its entity or, where labels name none, of its label. The sender's address is the one its label is about; where none has a label, the one that brought most.
-- Where several entities bring inputs (nets), the sender is the one that lost most, and another that got more than it brought receives the difference: what it gets of its own is no movement.
-- Equal sums go to the address that sorts first, so the order of rows changes nothing. Amounts are exact.
-- Of an address without a label only the one that sorts first by its key counts: the sum's complement before the id, so the largest is the least. Few
-- have a label, and only those are kept one by one (known). Rows leave in no order: the table sorts them.
INSERT INTO btc_flows (chain, block_number, net, tx_index, block_hash, block_time, txid, flow, from_address, from_label, from_entity, from_class, to_address, to_label, to_entity, to_class, to_amount,
  inputs, outputs, unresolved_inputs, fee, value_usd, price_method, named, generation)
SELECT {chain:String}, block_number, paid + arraySum(others.taken) AS net, tx_index, block_hash, block_time, txid,
  multiIf(coinbase, 'coinbase', unresolved_inputs > 0, 'unknown', most = 0 AND empty(others), 'internal', payee.class = 'exchange', 'exchange_inflow', sender.class = 'exchange', 'exchange_outflow', 'transfer'),
  multiIf(unresolved_inputs > 0, toFixedString('', 20), notEmpty(ins), sender.id, toFixedString(reverse(substring(reinterpretAsFixedString(first), 1, 20)), 20)), if(unresolved_inputs > 0, '', sender.label), if(unresolved_inputs > 0, '', sender.entity),
  if(unresolved_inputs > 0 OR (first != 0 AND empty(ins)), 'unknown', sender.class),
  if(empty(others), toFixedString(reverse(substring(reinterpretAsFixedString(most), 1, 20)), 20), payee.id), payee.label, payee.entity, if(most != 0 AND empty(others), 'unknown', payee.class),
  multiIf(notEmpty(others), payee.taken, most = 0, 0, bitNot(toUInt64(bitShiftRight(most, 160)))),
  if(coinbase, 0, input_count), output_count, unresolved_inputs, fee, if(usd > 0, toFloat64(net) / 1e8 * usd, NULL), if(usd > 0, method, ''),
  arrayConcat(arrayMap(o -> (o.entity, o.class, o.taken, 0), arrayFilter(o -> o.entity != '', outs)), arrayMap(i -> (i.entity, i.class, 0, i.given), arrayFilter(i -> i.entity != '', ins))), {generation:UInt32}
FROM (
  SELECT t.*, a.paid AS paid, a.first AS first, a.most AS most, p.usd AS usd, p.method AS method,
    arraySort(k -> (k.entity = '', -toInt64(k.given), k.id), arrayFilter(k -> k.gave > 0, a.known)) AS ins, arraySort(k -> (k.entity = '', -toInt64(k.taken), k.id), arrayFilter(k -> k.taken > 0, a.known)) AS outs,
    arraySort(n -> (n.2, n.1), arrayMap(e -> (e, arraySum(k -> if(k.entity = e, toInt64(k.taken) - toInt64(k.given), 0), a.known)), arrayDistinct(arrayFilter(e -> e != '', ins.entity)))) AS nets,
    if(length(nets) > 1, arrayFirst(i -> i.entity = nets[1].1, ins), ins[1]) AS sender,
    arrayFilter(o -> o.gave = 0 AND NOT (sender.label != '' AND o.entity = sender.entity AND (o.entity != '' OR o.label = sender.label)), outs) AS strangers,
    if(length(nets) < 2, strangers, arraySort(k -> (k.entity = '', -toInt64(k.taken), k.id), arrayConcat(arrayFilter(o -> NOT has(nets.1, o.entity), strangers),
      arrayMap((o, gained) -> (o.id, 0, 0, toUInt64(gained), o.label, o.entity, o.class)::Tuple(id FixedString(20), gave UInt8, given UInt64, taken UInt64, label String, entity String, class String),
        arrayMap(n -> arrayFirst(o -> o.entity = n.1, outs), arrayFilter(n -> n.2 > 0, nets) AS gainers), gainers.2)))) AS others, others[1] AS payee
  FROM (
    SELECT block_number, tx_index, block_hash, block_time, txid, coinbase, input_count, output_count, unresolved_inputs, fee
    FROM btc_transactions WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
      AND (block_number, tx_index) NOT IN (SELECT k.block_number, k.tx_index FROM btc_flows AS k WHERE k.chain = {chain:String} AND k.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND k.generation = {generation:UInt32})
  ) AS t
  LEFT JOIN (
    SELECT block_number AS height, tx_index AS place, minIf(key, gave > 0) AS first, minIf(key, gave = 0 AND NOT labelled) AS most, sumIf(taken, gave = 0 AND NOT labelled) AS paid,
      groupArrayIf((id, gave, given, taken, said.1, said.2, said.3)::Tuple(id FixedString(20), gave UInt8, given UInt64, taken UInt64, label String, entity String, class String), labelled) AS known
    FROM (
      SELECT block_number, tx_index, id, sum(g) AS given, sum(t) AS taken, max(side) AS gave,
        bitShiftLeft(toUInt256(bitNot(if(gave > 0, given, taken))), 160) + reinterpretAsUInt256(reverse(id)) AS key,
        dictHas('label_of', ({chain:String}, concat('0x', lower(hex(id))))) AS labelled,
        if(labelled, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, concat('0x', lower(hex(id))))), ('', '', '')) AS said
      FROM (
        SELECT block_number, tx_index, party_id AS id, assumeNotNull(value) AS g, toUInt64(0) AS t, toUInt8(1) AS side FROM btc_inputs
        WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND party_id != toFixedString('', 20) AND value IS NOT NULL
        UNION ALL
        SELECT block_number, tx_index, party_id, 0, value, 0 FROM btc_outputs
        WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND party_id != toFixedString('', 20) AND value > 0
      ) GROUP BY block_number, tx_index, id
    ) GROUP BY block_number, tx_index
  ) AS a ON a.height = t.block_number AND a.place = t.tx_index
  LEFT JOIN (
    SELECT block_number AS height, usd, method FROM prices WHERE chain = {chain:String} AND token = toFixedString('', 20) AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
  ) AS p ON p.height = t.block_number
)
-- On one thread: others would each aggregate a part, and the parts would have to be brought together; a group that may have to be is slower from the beginning; from a gigabyte on it is cut, so that it can be written to disk.
SETTINGS max_threads = 1, group_by_two_level_threshold = 0, group_by_two_level_threshold_bytes = 1000000000, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
