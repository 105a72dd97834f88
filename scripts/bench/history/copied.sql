-- Every movement as Postgres is to have it. Grain: one movement. Sort key of transfers: (chain, block_number, …), read whole and in order.
SELECT block_number, CAST(kind, 'Int8'), position, formatDateTime(block_time, '%Y-%m-%d %H:%i:%S+00'), concat('\\x', lower(hex(tx_hash))), concat('\\x', lower(hex(token))),
  concat('\\x', lower(hex(from_address))), concat('\\x', lower(hex(to_address))), toString(amount), if(isNull(value_usd), '', toString(value_usd)), from_entity, from_class, to_entity, to_class
FROM transfers WHERE chain = 'ETH'
