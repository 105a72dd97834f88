-- What given transactions of Bitcoin were for, newest first. Grain: one transaction. Parameters: chain, blocks and hashes (hex) of them.
-- Sort key: those of btc_transaction_intents. An address that is not there or not known is null, as the sender of what comes out of a CoinJoin is.
SELECT concat('0x', lower(hex(i.hash))) AS hash, toFloat64(i.block_number) AS block_number, i.tx_index AS tx_index, i.block_time AS timestamp,
  if(i.sender = toFixedString('', 20) OR i.verdict.1 = 'coinjoin', NULL, toNullable(concat('0x', lower(hex(i.sender))))) AS from_address, if(i.receiver = toFixedString('', 20), NULL, toNullable(concat('0x', lower(hex(i.receiver))))) AS to_address,
  dictGet('label_of', 'label', ({chain:String}, concat('0x', lower(hex(i.receiver))))) AS to_label, NULL AS selector, 'success' AS status, i.verdict.1 AS intent, i.verdict.2 AS rule, i.usd AS value_usd
FROM btc_transaction_intents(chain = {chain:String}, blocks = {blocks:Array(UInt64)}, hashes = {hashes:Array(String)}) AS i
ORDER BY block_number DESC, tx_index DESC
