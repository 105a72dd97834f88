-- Forced trades that the venue itself called so: confirmed, never an estimate. Grain: one forced trade, and one more where a later segment says that it was another's. Parameters: chain, from, to, generation.
-- A rule without a threshold on the chain is silent. The id is a hash of kind, chain, time, coin and trade, where somebody else was named before also of the account: the same event has the same id
-- for ever, and what was said is not unsaid. Sort keys: hl_liquidations (chain, time, …) within the times of the batch, hl_read_fills (chain, block_number, …).
INSERT INTO hl_alerts (chain, id, kind, basis, severity, score, coin, side, account, px, value_usd, time, hash, tid, summary, detail, block_number, generation)
WITH (SELECT (min(time), max(time)) FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AS reach
SELECT {chain:String}, SHA256(concat(l.rule, '|', {chain:String}, '|', toString(toUnixTimestamp64Milli(l.time)), '|', l.coin, '|', toString(l.tid), '|', toString(l.extra), if(l.named, concat('|', lower(hex(l.liquidated))), ''))), l.rule, 'confirmed', t.severity, least(100, 50 + 20 * log10(greatest(l.usd / greatest(t.threshold, 1), 1))), l.coin, if(l.side = 'sell', 'long', 'short'), l.liquidated, l.px, round(l.usd, 6), l.time, l.hash, l.tid,
  concat(if(l.named, 'Corrected: ', ''), if(l.rule = 'adl', 'Auto-deleveraged', 'Liquidated'), ': the ', if(l.side = 'sell', 'long', 'short'), ' of 0x', lower(hex(l.liquidated)), ' in ', l.coin, ', $', toString(round(l.usd)), ' at ', toString(l.px)), concat('method ', if(l.method = '', 'not told', toString(l.method))), l.block_number, {generation:UInt32}
FROM (
  SELECT *, toString(kind) AS rule, toFloat64(px) * toFloat64(sz) AS usd, has(arrayPopBack(words).1, kind) AS named FROM (
    SELECT f.*, groupArray((f.kind, f.liquidated)) OVER (PARTITION BY f.time, f.coin, f.tid, f.extra ORDER BY f.block_number ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS words FROM hl_liquidations AS f
    WHERE f.chain = {chain:String} AND f.time BETWEEN reach.1 AND reach.2 AND f.block_number <= {to:UInt64} AND f.market != 'spot'
      AND f.time IN (SELECT time FROM hl_read_fills WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64})
  ) WHERE block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32} AND NOT has(arrayPopBack(words), words[-1])
) AS l
INNER JOIN (SELECT rule, argMax(threshold, version) AS threshold, argMax(severity, version) AS severity FROM alert_thresholds WHERE chain = {chain:String} GROUP BY rule) AS t ON t.rule = l.rule
WHERE l.usd >= t.threshold
ORDER BY l.time, l.coin, l.tid, l.extra
