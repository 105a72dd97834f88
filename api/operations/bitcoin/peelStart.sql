-- The output that a peel chain goes on from: the one the transaction passes on where it is a hop itself, else its change, else the larger one, the first of equals. Grain: one row, none for a transaction that is not in the store.
-- Parameters: txid (hex), change (its output that looks like change, -1: none). Sort keys: btc_txids (chain, prefix), btc_inputs, btc_outputs (chain, block_number, tx_index, …), btc_peels (chain, prev_txid, …).
WITH place AS (SELECT x.block_number AS block_number, x.tx_index AS tx_index FROM btc_txids AS x WHERE x.chain = 'BTC' AND x.prefix = reinterpretAsUInt64(toFixedString(unhex({txid:String}), 32)))
SELECT toFloat64(vout) AS vout FROM (
  SELECT p.passed_vout AS vout, 0 AS after, toUInt64(0) AS value FROM btc_peels AS p FINAL
  WHERE p.chain = 'BTC' AND p.txid = toFixedString(unhex({txid:String}), 32)
    AND p.prev_txid IN (SELECT i.prev_txid FROM btc_inputs AS i WHERE i.chain = 'BTC' AND (i.block_number, i.tx_index) IN (SELECT block_number, tx_index FROM place))
  UNION ALL
  SELECT o.vout, if(o.vout = {change:Int64}, 1, 2), o.value FROM btc_outputs AS o
  WHERE o.chain = 'BTC' AND (o.block_number, o.tx_index) IN (SELECT block_number, tx_index FROM place) AND o.txid = toFixedString(unhex({txid:String}), 32)
)
ORDER BY after, value DESC, vout LIMIT 1
