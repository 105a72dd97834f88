-- Transactions of one chain below a sort position, newest first, with the value of the coin they moved and the labels of both sides as known now.
-- A creation that failed made no contract.
-- Grain: one transaction. Parameters: chain, block and index (the position; block <= block repeats the tuple's bound for the key), limit.
-- Sort key: (chain, block_number, tx_index), read in reverse; transfers by the page's heights.
WITH
  page AS (
    SELECT * FROM transactions WHERE chain = {chain:String} AND block_number <= {block:UInt64} AND (block_number, tx_index) < ({block:UInt64}, {index:UInt32})
    ORDER BY chain DESC, block_number DESC, tx_index DESC LIMIT {limit:UInt32}
  ),
  (SELECT (min(block_number), max(block_number)) FROM page) AS span
SELECT concat('0x', lower(hex(p.tx_hash))) AS hash, toFloat64(p.block_number) AS block_number, p.tx_index AS tx_index, p.block_time AS timestamp,
  concat('0x', lower(hex(p.from_address))) AS from_address, if(p.creates_contract, NULL, concat('0x', lower(hex(p.to_address)))) AS to_address,
  if(p.creates_contract AND ifNull(p.status, 1) = 1, concat('0x', lower(hex(p.contract_address))), NULL) AS contract_address,
  dictGet('label_of', 'label', ({chain:String}, concat('0x', lower(hex(p.from_address))))) AS from_label,
  if(p.creates_contract, '', dictGet('label_of', 'label', ({chain:String}, concat('0x', lower(hex(p.to_address)))))) AS to_label,
  toString(p.value) AS value, if(p.value = 0, toNullable(0.), t.usd) AS value_usd, p.tx_type AS tx_type, if(p.input_size < 4, NULL, concat('0x', lower(hex(p.selector)))) AS selector,
  toString(p.gas_used) AS gas_used, toString(p.gas_price) AS gas_price,
  toString(toUInt256(p.gas_used) * p.gas_price + toUInt256(ifNull(p.blob_gas_used, 0)) * ifNull(p.blob_gas_price, 0)) AS fee,
  multiIf(isNull(p.status), NULL, p.status = 1, 'success', 'failed') AS status
FROM page AS p
LEFT JOIN (
  SELECT block_number, position, any(value_usd) AS usd FROM transfers
  WHERE chain = {chain:String} AND block_number BETWEEN span.1 AND span.2 AND kind = 'native'
  GROUP BY block_number, position
) AS t ON t.block_number = p.block_number AND t.position = p.tx_index
ORDER BY p.block_number DESC, p.tx_index DESC
