-- Outputs of a range of blocks that look like change. Grain: one output. Parameters: chain, from, to, version.
-- Each heuristic rules outputs out and speaks only where it leaves one: optimal_change (worth less than every input, of two and more),
-- client_change (its address was never paid before and pays nothing here), legacy (both of these at once), address_type (the type of all inputs), address_reuse (an
-- input's address), power_of_ten (no multiple of 0.01 BTC). legacy follows from the first two, so it counts where neither speaks. Transactions that may be
-- CoinJoins have no change that can be told. What needs inputs that are unresolved does not speak.
-- Sort keys: btc_inputs, btc_outputs and btc_coinjoins (chain, block_number, tx_index, …), address_transfers (chain, address, …).
INSERT INTO btc_change_links (chain, block_number, tx_index, vout, txid, from_address, address, value, signs, score, version)
WITH spent AS (
  SELECT block_number, tx_index, if(countIf(i.value IS NULL) = 0, min(i.value), NULL) AS least, count() AS inputs, groupUniqArray(i.script_type) AS types,
    groupUniqArrayIf(toFixedString(substring(SHA256(i.address), 1, 20), 20), i.address != '') AS senders
  FROM btc_inputs AS i
  WHERE i.chain = {chain:String} AND i.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND i.prevout != 'coinbase'
    AND (i.block_number, i.tx_index) NOT IN (SELECT block_number, tx_index FROM btc_coinjoins WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64})
  GROUP BY block_number, tx_index HAVING notEmpty(senders)
), paid AS (
  SELECT block_number, tx_index, vout, txid, value, script_type, toFixedString(substring(SHA256(o.address), 1, 20), 20) AS id FROM btc_outputs AS o
  WHERE o.chain = {chain:String} AND o.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND o.address != ''
    AND (o.block_number, o.tx_index) IN (SELECT block_number, tx_index FROM spent)
)
SELECT {chain:String}, block_number, tx_index, told.1.1, txid, sender, told.1.3, told.1.2, told.2, 1 - exp2(-toFloat64(told.3)), {version:UInt64}
FROM (
  SELECT p.block_number AS block_number, p.tx_index AS tx_index, any(p.txid) AS txid, any(s.senders[1]) AS sender,
    groupArray((p.vout, p.value, p.id, ifNull(p.value < s.least, false) AND s.inputs > 1, f.first = (p.block_number, p.tx_index) AND NOT has(s.senders, p.id) AS unseen, ifNull(p.value < s.least, false) AND unseen,
      length(s.types) = 1 AND s.least IS NOT NULL AND p.script_type = s.types[1], has(s.senders, p.id), p.value % 1000000 != 0)) AS outs,
    arrayMap(x -> arrayConcat(if(x.4 AND arrayCount(y -> y.4, outs) = 1, ['optimal_change'], []), if(x.5 AND arrayCount(y -> y.5, outs) = 1, ['client_change'], []),
      if(x.6 AND arrayCount(y -> y.6, outs) = 1, ['legacy'], []), if(x.7 AND arrayCount(y -> y.7, outs) = 1, ['address_type'], []),
      if(x.8 AND arrayCount(y -> y.8, outs) = 1, ['address_reuse'], []), if(x.9 AND arrayCount(y -> y.9, outs) = 1, ['power_of_ten'], [])), outs) AS signs,
    arrayMap(one -> length(one) - if(has(one, 'legacy') AND hasAny(one, ['optimal_change', 'client_change']), 1, 0), signs) AS counted
  FROM paid AS p
  INNER JOIN spent AS s ON s.block_number = p.block_number AND s.tx_index = p.tx_index
  LEFT JOIN (
    SELECT address, min((block_number, position)) AS first FROM address_transfers
    WHERE chain = {chain:String} AND direction = 'in' AND address IN (SELECT id FROM paid) GROUP BY address
  ) AS f ON f.address = p.id
  GROUP BY p.block_number, p.tx_index
  HAVING length(outs) > 1 AND arrayCount(one -> notEmpty(one), signs) = 1 AND arrayMax(counted) > 1
)
ARRAY JOIN arrayFilter(one -> one.3 > 1, arrayZip(outs, signs, counted)) AS told
