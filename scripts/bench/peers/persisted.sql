-- Rows of ours in the tables that the peers write too, and the sum of what the ERC-20 transfers moved, modulo 2^256. One row for each table.
-- Parameters: from, to (blocks, inclusive). Relies on (chain, block_number, …) of every table.
SELECT 'blocks' AS name, count() AS rows, '0' AS amount FROM blocks WHERE chain = 'ETH' AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
UNION ALL
SELECT 'transactions', count(), '0' FROM transactions WHERE chain = 'ETH' AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
UNION ALL
SELECT 'logs', count(), '0' FROM logs WHERE chain = 'ETH' AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
UNION ALL
SELECT 'transfers', count(), toString(sum(amount)) FROM transfers WHERE chain = 'ETH' AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'erc20'
