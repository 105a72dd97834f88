-- Takes back what was told of transfers whose block is no longer of the chain. Grain: one event. Parameters: chain, height (the lowest that was cut at), seq (of the last event: with another nothing is told), most.
-- Sort keys: blocks (chain, block number); watch_alerts is read whole for its chain.
INSERT INTO watch_alerts (owner, seq, alert_id, list_id, event, severity, chain, address, block_number, block_hash, block_time, tx_hash, direction, kind, token, token_symbol, token_decimals, amount, token_id, value_usd,
  other, other_label, other_class, register, list_version, entry_id, entity_name, landed_at, at)
SELECT owner, {seq:UInt64} + row_number() OVER (ORDER BY a.seq), alert_id, list_id, 'retracted', severity, chain, address, block_number, block_hash, block_time, tx_hash, direction, kind, token, token_symbol, token_decimals, amount, token_id, value_usd,
  other, other_label, other_class, '', '', '', '', landed_at, now64(3)
FROM (
  SELECT * FROM watch_alerts WHERE chain = {chain:String} AND event IN ('transfer', 'retracted') AND block_number >= {height:UInt64} ORDER BY seq DESC LIMIT 1 BY alert_id
) AS a
WHERE a.event = 'transfer' AND (a.block_number, a.block_hash) NOT IN (SELECT b.block_number, b.block_hash FROM blocks AS b WHERE b.chain = {chain:String} AND b.block_number >= {height:UInt64}) AND (SELECT max(l.seq) FROM watch_alerts AS l) = {seq:UInt64}
ORDER BY a.seq
LIMIT {most:UInt32}
