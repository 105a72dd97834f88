-- Blocks of Bitcoin and its notable transactions in one English line each: block, whale_transfer (from 10 BTC between owners; a CoinJoin of confidence 50 and more is none: nobody knows who paid whom in it), exchange_flow (from 5 BTC that an exchange got,
-- or that left one), mixer (any). An exchange or a mixer that got something is told where somebody else got more, the one that got most of them. Grain: one block or transaction under one topic. Parameters: chain, from, to, generation.
-- Nobody is the sender of what leaves a CoinJoin, so none of it is told as having left an exchange or a mixer; who gets something is known.
-- Where several got something the line says what each of the named got, ten at most. While an input is unresolved all of it may be change: the line says so, and no exchange_flow is told.
-- Sort keys: btc_flows, btc_blocks, btc_coinjoins (chain, block_number, …), btc_parties (id). Texts hold labels of our own lists only; who mined a block is told where its pool is known.
INSERT INTO chunks (chain, block_number, topic, chunk_id, block_hash, block_time, tx_hash, position, text, value_usd, addresses, generation)
WITH
  joined AS (
    SELECT block_number, tx_index FROM btc_coinjoins WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND confidence >= 50
  ),
  asked AS (
    SELECT * REPLACE (if(mixed, toFixedString('', 20), from_address) AS from_address, if(mixed, '', from_entity) AS from_entity, if(mixed, 'unknown', from_class) AS from_class, if(mixed AND flow = 'exchange_outflow', 'transfer', flow) AS flow)
    FROM (
      SELECT *, (block_number, tx_index) IN joined AS mixed FROM btc_flows
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND net > 0 AND (net >= 500000000 OR from_class = 'mixer' OR to_class = 'mixer' OR has(named.class, 'mixer'))
    )
  ),
  told AS (
    SELECT block_number, block_hash, block_time, txid, tx_index, flow, mixed, net, unresolved_inputs, from_address, from_label, from_class, to_address, to_label, to_class, to_amount, gains, topic, multiIf(topic = 'exchange_flow' AND flow = 'transfer', exchange.1, topic = 'mixer' AND to_class != 'mixer' AND flow != 'unknown', mixer.1, '') AS other,
      multiIf(other != '', toUInt64(least(if(topic = 'mixer', mixer.2, exchange.2), toInt64(net))), (topic = 'exchange_flow' AND flow = 'exchange_inflow') OR (topic = 'mixer' AND to_class = 'mixer' AND flow != 'unknown'), entered, net) AS moved, value_usd * (toFloat64(moved) / toFloat64(net)) AS usd
    FROM (
      SELECT *, arrayReverseSort(x -> (x.2, x.1), arrayFilter(x -> x.2 > 0 AND x.1 != from_entity, arrayMap(e -> (e, arraySum(n -> if(n.entity = e, toInt64(n.received) - toInt64(n.sent), 0), named)), arrayDistinct(named.entity)))) AS gains,
        least(if(to_entity = '', to_amount, toUInt64(greatest(arrayFirst(x -> x.1 = to_entity, gains).2, 0))), net) AS entered,
        arrayFirst(g -> arrayExists(x -> x.entity = g.1 AND x.class = 'exchange', named), gains) AS exchange, arrayFirst(g -> arrayExists(x -> x.entity = g.1 AND x.class = 'mixer', named), gains) AS mixer,
        arrayJoin(arrayFilter(t -> t != '', [
          if(net >= 1000000000 AND flow NOT IN ('internal', 'coinbase') AND NOT mixed, 'whale_transfer', ''), if((flow = 'exchange_inflow' AND entered >= 500000000) OR (flow = 'exchange_outflow' AND net >= 500000000) OR (flow = 'transfer' AND exchange.2 >= 500000000), 'exchange_flow', ''),
          if(if(flow = 'unknown', to_class = 'mixer' OR has(named.class, 'mixer'), flow != 'internal' AND (from_class = 'mixer' OR to_class = 'mixer' OR mixer.2 > 0)), 'mixer', '')])) AS topic
      FROM asked
    )
  ),
  -- Of all that was asked about, which is more than what is told: to ask for what is told would work all of it out again.
  texts AS MATERIALIZED (SELECT id, any(address) AS address FROM btc_parties WHERE id IN (SELECT arrayJoin([from_address, to_address]) FROM asked) GROUP BY id)
SELECT {chain:String}, block_number, topic, SHA256(concat({chain:String}, '|', topic, '|', lower(hex(block_hash)), '|', lower(hex(tx_hash)), '|', toString(position))), block_hash, block_time, tx_hash, position,
  line, value_usd, addresses, {generation:UInt32}
FROM (
  SELECT t.block_number AS block_number, t.topic AS topic, t.block_hash AS block_hash, t.block_time AS block_time, t.txid AS tx_hash, t.tx_index AS position, t.usd AS value_usd,
    multiIf(t.mixed, 'one of those in a CoinJoin', f.address = '', 'an unknown sender', t.from_label = '', f.address, concat(t.from_label, ' (', f.address, ')')) AS sender,
    if(r.address = '', 'nobody else', if(t.to_label = '', r.address, concat(t.to_label, ' (', r.address, ')'))) AS receiver,
    arrayMap(x -> concat(toDecimalString(toDecimal128(x.2, 8) / 100000000, 8), ' BTC to ', x.1), if(empty(t.gains), [(receiver, toInt64(t.to_amount))], arraySlice(t.gains, 1, 10))) AS shares,
    toInt64(t.net) - if(empty(t.gains), toInt64(t.to_amount), arraySum(arraySlice(t.gains, 1, 10).2)) AS rest,
    concat(multiIf(t.topic = 'whale_transfer', 'Large transfer: ', t.topic = 'exchange_flow', 'Exchange flow: ', 'Mixer use: '), toDecimalString(toDecimal128(t.moved, 8) / 100000000, 8), ' BTC (',
      if(t.usd IS NULL, 'value unknown', concat('$', trimLeft(reverse(replaceRegexpAll(reverse(toDecimalString(round(assumeNotNull(t.usd)), 0)), '(\\d{3})', '\\1,')), ','))), ') moved from ', sender,
      multiIf(t.other != '', concat(' to ', t.other), t.moved = t.net AND (rest > 0 OR length(shares) > 1), concat(', ', arrayStringConcat(shares, ', '), if(rest > 0, concat(if(empty(shares), '', ', '), toDecimalString(toDecimal128(rest, 8) / 100000000, 8), ' BTC to others'), '')), concat(' to ', receiver)),
      multiIf(t.topic = 'whale_transfer' OR t.flow = 'unknown', '', t.topic = 'mixer', if(t.other != '' OR t.to_class = 'mixer', ', into the mixer', ', out of the mixer'), if(t.other != '' OR t.flow = 'exchange_inflow', ', into the exchange', ', out of the exchange')),
      if(t.unresolved_inputs > 0, concat(', where ', toString(t.unresolved_inputs), ' of its inputs spend what is not indexed, so all of it may be change'), ''),
      ', in transaction ', lower(hex(t.txid)), ' of block ', toString(t.block_number), '.') AS line,
    arrayFilter(a -> a != '', [f.address, if(t.other = '', r.address, '')]) AS addresses
  FROM told AS t LEFT JOIN texts AS f ON f.id = t.from_address LEFT JOIN texts AS r ON r.id = t.to_address
  UNION ALL
  SELECT b.block_number, 'block', b.block_hash, b.block_time, toFixedString('', 32), 0, NULL, '', '', [], 0,
    concat('Block ', toString(b.block_number), ' of ', toString(toDateTime(b.block_time)), ' UTC: ', toString(b.tx_count), ' transactions, ', toString(b.input_count), ' inputs, ', toString(b.output_count), ' outputs, ',
      toDecimalString(toDecimal128(b.output_value, 8) / 100000000, 8), ' BTC in outputs', if(b.fees IS NULL, '', concat(', ', toDecimalString(toDecimal128(assumeNotNull(b.fees), 8) / 100000000, 8), ' BTC in fees')),
      if(b.miner = '', '', concat(', mined by ', b.miner)), '.'), []
  FROM btc_blocks AS b WHERE b.chain = {chain:String} AND b.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND b.generation = {generation:UInt32}
)
ORDER BY block_number, topic, position
SETTINGS enable_materialized_cte = 1, max_threads = 1
