-- Whether a block of Bitcoin has come so far that getBtcBlock.sql may find it: who waits for the next block asks often, and this costs a fifth.
-- Grain: one row, none where it has not. Parameters: chain, at. Sort key: (chain, block_number) of btc_blocks.
SELECT block_number AS number FROM btc_blocks WHERE chain = {chain:String} AND block_number = {at:UInt64} LIMIT 1
