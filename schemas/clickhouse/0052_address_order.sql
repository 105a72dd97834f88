-- In which order an address moved coin within a block: position counts transactions for what they carried themselves, and frames for what moved inside them, so neither tells which came first.
-- tx_index: place of the transaction in its block. Of rows from before this, and of Bitcoin, it is position: right for all but what moved inside transactions of Ethereum, which a replay of those blocks mends.
ALTER TABLE address_transfers ADD COLUMN IF NOT EXISTS tx_index UInt32 DEFAULT position;
