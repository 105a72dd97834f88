-- Forced trades that the venue itself called so, by event: all of one account, coin, side and kind at one moment. Confirmed, never an estimate. Grain: one event, told of the segment with which what stands of it is
-- worth the threshold for the first time, as it stands then: later pieces tell nothing again, later corrections unsay nothing. Where a trade of it was said to be another's before, in that kind, it is marked.
-- It hangs on the order of segments alone. The id is a hash of kind, chain, time, coin, account and side. A rule without a threshold on the chain is silent, and so are all about what an answer told more than a day after. Parameters: chain, from, to, generation.
-- px: mean by size. hash, tid: of the piece heard first. Sort keys: hl_liquidations (chain, time, …) at the times of the batch, hl_read_fills (chain, block_number, …).
INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
SELECT {chain:String}, SHA256(concatWithSeparator('|', rule, {chain:String}, toString(toUnixTimestamp64Milli(time)), coin, lower(hex(liquidated)), position)), rule, 'confirmed', degree, least(100, 50 + 20 * log10(greatest(usd / greatest(floor_usd, 1), 1))), coin, position, liquidated, mean, usd, time, known[1].6, known[1].2,
  concat(if(arrayExists(p -> p.9, known), 'Corrected: ', ''), if(rule = 'adl', 'Auto-deleveraged', 'Liquidated'), ': the ', position, ' of ', if(liquidated = toFixedString('', 20), 'an account that was not named', concat('0x', lower(hex(liquidated)))), ' in ', coin, ', $', toString(round(usd)), ' at ', toString(round(mean, 8))),
  concat('method ', if(known[1].5 = '', 'not told', known[1].5), if(length(known) > 1, concat(', ', toString(length(known)), ' trades'), '')), reached, {generation:UInt32}
FROM (
  SELECT *, arrayFilter(p -> reached BETWEEN p.1 AND p.4, pieces) AS known, arrayReduce('sum', known.8) AS total, round(toFloat64(total), 6) AS usd, total / arrayReduce('sum', known.7) AS mean FROM (
    SELECT time, coin, t.rule AS rule, w.3 AS liquidated, if(w.4 = 'sell', 'long', 'short') AS position, any(t.threshold) AS floor_usd, any(t.severity) AS degree,
      arraySort(groupArray((w.1, tid, extra, toUInt64(words[i + 1].1 - 1), w.7, w.8, w.6, multiplyDecimal(w.5, w.6, 18), arrayExists(o -> o.2 = w.2 AND (o.3, o.4) != (w.3, w.4), arraySlice(words, 1, i - 1))))) AS pieces,
      arrayFirst(b -> round(toFloat64(arrayReduce('sum', arrayMap(p -> if(b BETWEEN p.1 AND p.4, p.8, toDecimal256(0, 18)), pieces))), 6) >= greatest(floor_usd, 0.01), arrayDistinct(pieces.1)) AS reached
    FROM (
      SELECT time, coin, tid, extra, arraySort(groupArray((block_number, kind, liquidated, side, px, sz, toString(method), hash))) AS words FROM hl_liquidations
      WHERE chain = {chain:String} AND time IN (SELECT time FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AND block_number <= {to:UInt64} AND market != 'spot' AND NOT (source = 'info' AND heard_at > time + INTERVAL 1 DAY) AND (block_number < {from:UInt64} OR generation = {generation:UInt32})
      GROUP BY time, coin, tid, extra
    ) ARRAY JOIN words AS w, arrayEnumerate(words) AS i
    INNER JOIN (SELECT rule, argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds WHERE chain = {chain:String} GROUP BY rule) AS t ON t.rule = toString(w.2)
    GROUP BY time, coin, rule, liquidated, position
  ) WHERE reached BETWEEN {from:UInt64} AND {to:UInt64}
)
ORDER BY time, coin, liquidated, position
