-- The same of a block of Bitcoin: its outputs, the most of what was read of it, mostly land last of all that readBtcBlock.ts reads.
-- Grain: one row, none where they have not landed. Parameters: chain, at. Sort key: btc_outputs (chain, block_number, tx_index, …).
SELECT toUnixTimestamp64Milli(block_time) AS time FROM btc_outputs WHERE chain = {chain:String} AND block_number = {at:UInt64} LIMIT 1
