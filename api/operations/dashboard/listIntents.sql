-- What given transactions of one chain were for, newest first. Grain: one transaction. Parameters: chain, blocks and hashes (hex without 0x) of them.
-- Sort key: those of transaction_intents.
SELECT concat('0x', lower(hex(i.hash))) AS hash, toFloat64(i.block_number) AS block_number, i.tx_index AS tx_index, i.block_time AS timestamp, concat('0x', lower(hex(i.sender))) AS from_address,
  if(i.creates_contract, NULL, i.receiver_hex) AS to_address, i.to_label AS to_label, if(i.input_size < 4, NULL, concat('0x', i.called)) AS selector, multiIf(isNull(i.state), NULL, i.state = 1, 'success', 'failed') AS status,
  i.verdict.1 AS intent, i.verdict.2 AS rule, i.usd AS value_usd
FROM transaction_intents(chain = {chain:String}, blocks = {blocks:Array(UInt64)}, hashes = {hashes:Array(String)}) AS i
ORDER BY block_number DESC, tx_index DESC
