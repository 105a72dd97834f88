-- What one address received and sent, newest first, strictly below a sort position.
-- Grain: one side of one movement. Parameters: chain, address and token (hex without 0x; token '': any), direction ('': both), block/kind/position/sub/side (the position), limit.
-- Sort key: address_transfers (chain, address, block_number, kind, position, sub, direction), read in reverse; block_number <= block repeats the tuple's bound for the key.
-- Planning takes longer than reading here, so lines that end in "-- narrowed" are left out for the first page of everything.
SELECT concat('0x', lower(hex(a.tx_hash))) AS tx_hash, toFloat64(a.block_number) AS block_number, a.block_time AS timestamp, toString(a.kind) AS kind, a.position AS position, toString(a.direction) AS direction,
  concat('0x', lower(hex(a.other))) AS counterparty, dictGet('label_of', ('label', 'entity', 'category'), ({chain:String}, counterparty)) AS known,
  known.1 AS counterparty_label, known.2 AS counterparty_entity, known.3 AS counterparty_class,
  concat('0x', lower(hex(a.token))) AS token, dictGet('token_of', ('symbol', 'decimals'), ({chain:String}, token)) AS described, described.1 AS token_symbol, described.2 AS token_decimals,
  toString(a.amount) AS amount, if(a.kind IN ('erc721', 'erc1155'), toNullable(toString(a.token_id)), NULL) AS token_id, a.value_usd AS value_usd,
  [toFloat64(a.block_number), toFloat64(CAST(a.kind, 'Int8')), toFloat64(a.position), toFloat64(a.sub), toFloat64(CAST(a.direction, 'Int8'))] AS at
FROM address_transfers AS a
WHERE a.chain = {chain:String} AND a.address = toFixedString(unhex({address:String}), 20)
  AND a.block_number <= {block:UInt64} AND (a.block_number, CAST(a.kind, 'Int8'), a.position, a.sub, CAST(a.direction, 'Int8')) < ({block:UInt64}, {kind:Int8}, {position:UInt32}, {sub:UInt32}, {side:Int8}) -- narrowed
  AND ({direction:String} = '' OR a.direction = {direction:String}) AND ({token:String} = '' OR a.token = toFixedString(unhex({token:String}), 20)) -- narrowed
ORDER BY a.chain DESC, a.address DESC, a.block_number DESC, a.kind DESC, a.position DESC, a.sub DESC, a.direction DESC
LIMIT {limit:UInt32}
