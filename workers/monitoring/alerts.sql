-- Events of one owner's feed. Grain: one event. Parameters: owner, lists ([]: all), event ('': all), after and before (seq, both excluded), newest (the newest first, else the oldest), limit.
-- What a sanctions list said has no transfer: its columns are null. Sort key: (owner, seq).
SELECT toFloat64(a.seq) AS position, lower(hex(a.alert_id)) AS alert_id, a.list_id AS list_id, toString(a.event) AS event, toString(a.severity) AS severity, toString(a.chain) AS chain, a.address AS address,
  a.event IN ('transfer', 'retracted') AS moved, if(moved, toString(a.direction), NULL) AS direction, if(moved AND a.other != '', a.other, NULL) AS counterparty, if(moved, a.other_label, NULL) AS counterparty_label, if(moved, toString(a.other_class), NULL) AS counterparty_class,
  if(moved, concat('0x', lower(hex(a.token))), NULL) AS token, if(moved, toString(a.token_symbol), NULL) AS token_symbol, if(moved, a.token_decimals, NULL) AS token_decimals, if(moved, toString(a.amount), NULL) AS amount,
  if(moved AND a.kind IN ('erc721', 'erc1155'), toString(a.token_id), NULL) AS token_id, a.value_usd AS value_usd, if(moved, concat(if(a.chain = 'BTC', '', '0x'), lower(hex(a.tx_hash))), NULL) AS tx_hash, if(moved, toNullable(toFloat64(a.block_number)), NULL) AS block_number,
  if(moved, concat(if(a.chain = 'BTC', '', '0x'), lower(hex(a.block_hash))), NULL) AS block_hash, if(moved, toNullable(a.block_time), NULL) AS block_time,
  if(moved, NULL, toString(a.register)) AS register, if(moved, NULL, a.list_version) AS list_version, if(moved, NULL, a.entry_id) AS entry_id, if(moved, NULL, a.entity_name) AS entity_name, a.at AS at
FROM watch_alerts AS a
WHERE a.owner = {owner:String} AND (empty({lists:Array(String)}) OR has({lists:Array(String)}, a.list_id)) AND ({event:String} = '' OR toString(a.event) = {event:String}) AND a.seq > {after:UInt64} AND a.seq < {before:UInt64}
ORDER BY if({newest:Bool}, -1, 1) * toInt64(a.seq)
LIMIT {limit:UInt32}
