-- What a trail on Bitcoin explains: the outputs an address received (source), or those it spent (destination), the largest first, beside the sums of all of them.
-- Grain: one output. Parameters: chain, source, address (hex without 0x), upto (height), since and until (Unix milliseconds), limit. all_usd is null where one has no price; priced_usd is of those that have one.
-- Sort keys: address_transfers (chain, address, block_number, …), btc_inputs (chain, block_number, tx_index, vin).
WITH moves AS MATERIALIZED (
  SELECT a.block_number AS block_number, a.position AS tx_index, a.sub AS place, a.tx_hash AS tx_hash, toUInt64(a.amount) AS amount, a.value_usd AS usd,
    count() OVER () AS all_moves, sum(toUInt64(a.amount)) OVER () AS all_amount, sum(a.value_usd) OVER () AS all_usd, countIf(a.value_usd IS NULL) OVER () AS unpriced
  FROM address_transfers AS a
  WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20) AND (a.direction = 'in') = {source:Bool} AND a.amount > 0 AND a.block_number <= {upto:UInt64}
    AND a.block_time BETWEEN fromUnixTimestamp64Milli({since:Int64}) AND fromUnixTimestamp64Milli({until:Int64})
  ORDER BY amount DESC, block_number, tx_index, place LIMIT {limit:UInt32}
)
SELECT lower(hex(if({source:Bool}, m.tx_hash, i.prev_txid))) AS txid, if({source:Bool}, m.place, i.prev_vout) AS vout, toString(m.amount) AS amount, toFloat64(m.all_moves) AS all_moves, toString(m.all_amount) AS all_amount,
  if(m.unpriced = 0, m.all_usd, NULL) AS all_usd, ifNull(m.all_usd, 0) AS priced_usd
FROM moves AS m
LEFT JOIN (
  SELECT s.block_number AS block_number, s.tx_index AS tx_index, s.vin AS vin, s.prev_txid AS prev_txid, s.prev_vout AS prev_vout FROM btc_inputs AS s
  WHERE NOT {source:Bool} AND s.chain = {chain:String} AND (s.block_number, s.tx_index) IN (SELECT block_number, tx_index FROM moves)
) AS i ON i.block_number = m.block_number AND i.tx_index = m.tx_index AND i.vin = m.place
ORDER BY m.block_number, m.tx_index, m.place
SETTINGS enable_materialized_cte = 1
