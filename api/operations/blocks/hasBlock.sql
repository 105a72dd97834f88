-- Of what time a block of Ethereum is (Unix milliseconds) that has come so far that getBlock.sql may find it: who waits for the next block asks often, and this costs a fifth.
-- Grain: one row, none where it has not. Parameters: chain, at. Sort key: (chain, block_number) of blocks.
SELECT toUnixTimestamp64Milli(block_time) AS time FROM blocks WHERE chain = {chain:String} AND block_number = {at:UInt64} LIMIT 1
