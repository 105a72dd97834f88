-- The same of a block of Bitcoin: its flows, which land together, are the last that readBtcBlock.ts waits for.
-- Grain: one row, none where they have not landed. Parameters: chain, at. Sort key: (chain, block_number) of btc_flows.
SELECT toUnixTimestamp64Milli(block_time) AS time FROM btc_flows WHERE chain = {chain:String} AND block_number = {at:UInt64} LIMIT 1
