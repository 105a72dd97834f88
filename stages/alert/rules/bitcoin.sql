-- Rules on transactions of Bitcoin, by what they move between owners. whale_transfer: much. exchange_inflow, exchange_outflow: into an exchange (what it got
-- of the transaction) or out of one.
-- mixer_use: into a mixer (what it got) or out of one, or a CoinJoin of confidence 50 and more (from 1 BTC). Thresholds are in BTC, of the exact amount.
-- What left somebody may have gone to many: the line says what the named receiver got of it, all its addresses together, and what others did. Version 2: before, the receiver stood for all of them.
-- Version 3: what goes back to one label without an entity is no flow, who is named goes before who is only labelled, and mixers without an entity are heard while inputs are unresolved.
-- Version 4: an exchange or a mixer that got something is told where somebody else got more, the one that got most of them; what goes from one mixer to another is told.
-- Version 5: what leaves a CoinJoin is of nobody in particular: no exchange is told as having sent all of it, nor anybody in from_address; who gets something is known, and an exchange is told with what it got beyond what it brought.
-- While inputs are unresolved all of it may be change: neither rule on exchanges speaks, whale_transfer says so, mixer_use says that a mixer took part.
-- Grain: one transaction under one rule. Parameters: chain, from, to, generation. A rule without a threshold on the chain is silent. The id is a hash of rule, chain, block,
-- transaction and place: the same event has the same id for ever. Sort keys: btc_flows, btc_coinjoins (chain, block_number, …), btc_parties (id).
INSERT INTO alerts (id, chain, rule, rule_version, severity, block_number, block_hash, block_time, tx_hash, position, summary, value_usd, amount, token,
  from_address, to_address, retracted, generation, version)
WITH
  (word -> if(s.rest = 0, concat(' ', word, ' ', receiver), concat(': ', toDecimalString(toDecimal128(s.share, 8) / 100000000, 8), ' BTC ', word, ' ', receiver, ' and ', toDecimalString(toDecimal128(s.rest, 8) / 100000000, 8), ' BTC ', word, ' others'))) AS given,
  thresholds AS (SELECT rule, argMax(threshold, version) * 1e8 AS sats, argMax(severity, version) AS severity FROM alert_thresholds WHERE chain = {chain:String} GROUP BY rule),
  joined AS (
    SELECT block_number, tx_index, argMax(detector, confidence) AS detector FROM btc_coinjoins
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND confidence >= 50 GROUP BY block_number, tx_index
  ),
  -- Where a text may be wanted: no transaction speaks that is not among these.
  (SELECT min(sats) FROM thresholds WHERE rule != 'mixer_use') AS lowest,
  texts AS (
    SELECT id, any(address) AS address FROM btc_parties WHERE id IN (
      SELECT arrayJoin([from_address, to_address]) FROM btc_flows
      WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND (toFloat64(net) >= lowest OR from_class = 'mixer' OR to_class = 'mixer' OR has(named.class, 'mixer')
        OR (net >= 100000000 AND (block_number, tx_index) IN (SELECT block_number, tx_index FROM joined)))
    ) GROUP BY id
  )
SELECT SHA256(concat(s.rule, '|', {chain:String}, '|', lower(hex(s.block_hash)), '|', lower(hex(s.txid)), '|', toString(s.tx_index))), {chain:String}, s.rule, 5, s.severity, s.block_number, s.block_hash, s.block_time, s.txid, s.tx_index,
  concat(toDecimalString(toDecimal128(s.moved, 8) / 100000000, 8), ' BTC (', if(s.value_usd IS NULL, 'value unknown', concat('$', toDecimalString(round(assumeNotNull(s.value_usd)), 0))), ')', multiIf(
    s.rule = 'exchange_inflow', concat(' went into exchange ', if(s.other = '', receiver, s.other), ' from ', sender), s.rule = 'exchange_outflow', concat(' left exchange ', sender, given('for')),
    s.rule = 'whale_transfer', concat(' moved from ', sender, given('to')), s.detector != '', concat(' went through a CoinJoin (', s.detector, ')'),
    s.unknown > 0, concat(' moved in a transaction of mixer ', if(has(s.named.class, 'mixer'), arrayFirst(x -> x.class = 'mixer', s.named).entity, receiver)), s.other != '' OR s.to_class = 'mixer', concat(' entered mixer ', if(s.other = '', receiver, s.other), ' from ', sender), concat(' left mixer ', sender, given('for'))),
    if(s.unknown > 0, concat('; ', toString(s.unknown), ' of its inputs spend what is not indexed, so change may be in it'), '')),
  s.value_usd, toUInt256(s.moved), toFixedString('', 20), s.from_address, if(s.other = '', s.to_address, toFixedString('', 20)), false, {generation:UInt32}, toUInt64({generation:UInt32}) * 2
FROM (
  SELECT n.block_number AS block_number, n.tx_index AS tx_index, n.block_hash AS block_hash, n.block_time AS block_time, n.txid AS txid, n.moved AS moved, n.net - n.share AS rest, n.share AS share, n.value_usd * (toFloat64(n.moved) / toFloat64(n.net)) AS value_usd, n.from_address AS from_address,
    n.to_address AS to_address, n.to_class AS to_class, n.detector AS detector, n.unknown AS unknown, n.named AS named, n.other AS other, n.rule AS rule, t.severity AS severity, multiIf(n.detector != '', 'one of those in a CoinJoin', f.address = '', 'an unknown sender', n.from_label = '', f.address, concat(n.from_label, ' (', f.address, ')')) AS sender,
    if(r.address = '', 'nobody else', if(n.to_label = '', r.address, concat(n.to_label, ' (', r.address, ')'))) AS receiver
  FROM (
    -- One step in a query of its own, the innermost first: the planner works an alias out wherever it is named, and what is named in what is named multiplies.
    SELECT *, multiIf(other != '', toUInt64(least(if(rule = 'mixer_use', mixer.2, exchange.2), toInt64(net))), rule = 'exchange_inflow' OR (rule = 'mixer_use' AND flow != 'unknown' AND detector = '' AND to_class = 'mixer'), entered, net) AS moved
    FROM (
      SELECT *, multiIf(rule = 'exchange_inflow' AND flow != 'exchange_inflow', exchange.1, rule = 'mixer_use' AND flow != 'unknown' AND detector = '' AND to_class != 'mixer', mixer.1, '') AS other
      FROM (
        SELECT *, if(entered > 0, entered, to_amount) AS share, arrayJoin(arrayFilter(r -> r != '', [
          if(flow NOT IN ('internal', 'coinbase') AND detector = '', 'whale_transfer', ''), if(flow = 'exchange_inflow' OR (flow IN ('transfer', 'exchange_outflow') AND exchange.2 > 0), 'exchange_inflow', ''),
          if(from_class = 'exchange' AND flow IN ('exchange_outflow', 'exchange_inflow') AND detector = '', 'exchange_outflow', ''),
          if((flow = 'unknown' AND (to_class = 'mixer' OR has(named.class, 'mixer'))) OR (flow NOT IN ('unknown', 'internal') AND (from_class = 'mixer' OR to_class = 'mixer' OR mixer.2 > 0)) OR (detector != '' AND net >= 100000000), 'mixer_use', '')])) AS rule
        FROM (
          SELECT *, if(to_entity = '', to_amount, toUInt64(least(greatest(toInt64(arraySum(theirs.received)) - toInt64(arraySum(theirs.sent)), 0), toInt64(net)))) AS entered,
            arrayFirst(g -> arrayExists(x -> x.entity = g.1 AND x.class = 'exchange', named), gains) AS exchange, arrayFirst(g -> arrayExists(x -> x.entity = g.1 AND x.class = 'mixer', named), gains) AS mixer
          FROM (
            SELECT f.block_number AS block_number, f.tx_index AS tx_index, f.block_hash AS block_hash, f.block_time AS block_time, f.txid AS txid, f.flow AS flow, f.net AS net, f.value_usd AS value_usd, if(c.detector = '', f.from_address, toFixedString('', 20)) AS from_address, f.from_label AS from_label, f.from_class AS from_class,
              f.to_address AS to_address, f.to_label AS to_label, f.to_entity AS to_entity, f.to_class AS to_class, f.to_amount AS to_amount, c.detector AS detector, f.unresolved_inputs AS unknown, f.named AS named, arrayFilter(x -> x.entity = f.to_entity, f.named) AS theirs,
              arrayReverseSort(g -> (g.2, g.1), arrayFilter(g -> g.2 > 0 AND (c.detector != '' OR g.1 != f.from_entity), arrayMap(e -> (e, arraySum(x -> if(x.entity = e, toInt64(x.received) - toInt64(x.sent), 0), f.named)), arrayDistinct(f.named.entity)))) AS gains
            FROM btc_flows AS f
            LEFT JOIN joined AS c ON c.block_number = f.block_number AND c.tx_index = f.tx_index
            WHERE f.chain = {chain:String} AND f.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND f.generation = {generation:UInt32} AND f.net > 0
              AND (toFloat64(f.net) >= lowest OR f.from_class = 'mixer' OR f.to_class = 'mixer' OR has(f.named.class, 'mixer') OR (f.net >= 100000000 AND c.detector != ''))
          )
        )
      )
    )
  ) AS n
  INNER JOIN thresholds AS t ON t.rule = n.rule
  LEFT JOIN texts AS f ON f.id = n.from_address
  LEFT JOIN texts AS r ON r.id = n.to_address
  WHERE n.moved > 0 AND toFloat64(n.moved) >= t.sats
) AS s
ORDER BY s.block_number, s.tx_index, s.rule
SETTINGS max_threads = 1
