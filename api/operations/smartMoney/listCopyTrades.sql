-- Positions that leaders opened, newest first, below a position; those taken back are left out, and of versions of one the newest counts. Grain: one alert of rule copy_trade.
-- Parameters: chain, height and id (hex) of the last row given before, min_usd, limit. Sort key: alerts (chain, block_number, id), read in reverse.
SELECT lower(hex(a.id)) AS id, toFloat64(a.block_number) AS block_number, a.block_time AS timestamp, concat('0x', lower(hex(a.tx_hash))) AS tx_hash, a.position AS position,
  concat('0x', lower(hex(a.from_address))) AS leader, concat('0x', lower(hex(a.token))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals,
  toString(a.amount) AS amount, a.value_usd AS value_usd
FROM alerts AS a
WHERE a.chain = {chain:String} AND a.rule = 'copy_trade' AND a.block_number <= {height:UInt64} AND (a.block_number, lower(hex(a.id))) < ({height:UInt64}, {id:String}) AND ifNull(a.value_usd, 0) >= {min_usd:Float64} AND NOT a.retracted
  AND (a.block_number, a.id) NOT IN (
    SELECT r.block_number, r.id FROM alerts AS r
    WHERE r.chain = {chain:String} AND (r.block_number, r.id) IN (SELECT x.block_number, x.id FROM alerts AS x WHERE x.chain = {chain:String} AND x.rule = 'copy_trade' AND x.retracted)
    GROUP BY r.block_number, r.id HAVING argMax(r.retracted, r.version)
  )
ORDER BY a.block_number DESC, a.id DESC, a.version DESC
LIMIT 1 BY a.id
LIMIT {limit:UInt32}
