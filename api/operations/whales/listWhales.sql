-- Movements of one chain worth at least min_usd, newest first, strictly below a sort position.
-- Grain: one movement. Parameters: chain, min_usd, from and to (lowest and highest block), block/kind/position/sub (the position), since, until (Unix milliseconds), limit.
-- Sort key: (chain, block_number, kind, position, sub), read in reverse; block_number <= block repeats the tuple's bound for the key.
SELECT chain, concat('0x', lower(hex(tx_hash))) AS tx_hash, toFloat64(t.block_number) AS block_number, concat('0x', lower(hex(block_hash))) AS block_hash, block_time AS timestamp,
  toString(t.kind) AS kind, t.position AS position, concat('0x', lower(hex(from_address))) AS from_address, from_label, from_entity, from_class,
  concat('0x', lower(hex(to_address))) AS to_address, to_label, to_entity, to_class, concat('0x', lower(hex(token))) AS token, token_symbol, token_decimals,
  toString(t.amount) AS amount, value_usd, price_method, [toFloat64(t.block_number), toFloat64(CAST(t.kind, 'Int8')), toFloat64(t.position), toFloat64(t.sub)] AS at
FROM transfers AS t
WHERE t.chain = {chain:String} AND t.block_number <= {block:UInt64} AND t.block_number >= {from:UInt64} AND t.block_number <= {to:UInt64}
  AND (t.block_number, CAST(t.kind, 'Int8'), t.position, t.sub) < ({block:UInt64}, {kind:Int8}, {position:UInt32}, {sub:UInt32})
  AND t.block_time >= fromUnixTimestamp64Milli({since:Int64}) AND t.block_time <= fromUnixTimestamp64Milli({until:Int64})
  AND t.value_usd >= {min_usd:Float64} AND t.kind NOT IN ('wrap', 'unwrap')
ORDER BY t.chain DESC, t.block_number DESC, t.kind DESC, t.position DESC, t.sub DESC
LIMIT {limit:UInt32}
