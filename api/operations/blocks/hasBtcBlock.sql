-- The same of a block of Bitcoin: its transactions are there once their inputs were looked for, a moment before or after the rest of what readBtcBlock.ts reads.
-- Grain: one row, none where they have not landed. Parameters: chain, at. Sort key: btc_transactions (chain, block_number, tx_index).
SELECT toUnixTimestamp64Milli(block_time) AS time FROM btc_transactions WHERE chain = {chain:String} AND block_number = {at:UInt64} LIMIT 1
