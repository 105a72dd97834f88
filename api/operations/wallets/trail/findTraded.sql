-- Which of the transactions that a trail found are trades: who swapped in it, or that the address itself wrapped. Only there traceSwaps.sql can find what was given for what was found.
-- Grain: one transaction that has a swap, with its trader (address is ''); or one in which an address wrapped (trader is ''). tx names the transaction as it was asked for: by block and place where its place in the
-- block is known, for hashes of swaps do not compress, and a granule of them is a quarter of a megabyte; else by hash, as wraps always are. Parameters: chain, placed ([block, tx_index]) and hashed ([block, tx_hash]),
-- blocks of each, and of all: found ([address, block, tx_hash]) and blocks; hex without 0x. Sort keys: swaps (chain, block_number, …), address_transfers (chain, address, block_number, …).
SELECT concat(toString(s.block_number), ' ', toString(s.tx_index)) AS tx, lower(hex(any(s.trader))) AS trader, '' AS address FROM swaps AS s
WHERE s.chain = {chain:String} AND s.block_number IN {placedBlocks:Array(UInt64)}
  AND (s.block_number, s.tx_index) IN (SELECT p[1], toUInt32(p[2]) FROM (SELECT arrayJoin({placed:Array(Array(UInt64))}) AS p))
GROUP BY s.block_number, s.tx_index
UNION ALL
SELECT lower(hex(s.tx_hash)) AS tx, lower(hex(any(s.trader))) AS trader, '' AS address FROM swaps AS s
WHERE s.chain = {chain:String} AND s.block_number IN {hashedBlocks:Array(UInt64)}
  AND (s.block_number, s.tx_hash) IN (SELECT toUInt64(f[1]), toFixedString(unhex(f[2]), 32) FROM (SELECT arrayJoin({hashed:Array(Array(String))}) AS f))
GROUP BY s.tx_hash
UNION ALL
SELECT lower(hex(a.tx_hash)) AS tx, '' AS trader, lower(hex(a.address)) AS address FROM address_transfers AS a
WHERE a.chain = {chain:String} AND a.kind IN ('wrap', 'unwrap') AND a.other != a.address AND a.amount > 0 AND a.amount < bitShiftLeft(toUInt256(1), 127) AND a.block_number IN {blocks:Array(UInt64)}
  AND (a.address, a.block_number, a.tx_hash) IN (SELECT toFixedString(unhex(f[1]), 20), toUInt64(f[2]), toFixedString(unhex(f[3]), 32) FROM (SELECT arrayJoin({found:Array(Array(String))}) AS f))
GROUP BY a.tx_hash, a.address
-- Of many blocks most of its time goes into traders of swaps: a second thread takes half of them, and of few there is none.
SETTINGS max_threads = 2, merge_tree_min_rows_for_concurrent_read = 65536, merge_tree_min_bytes_for_concurrent_read = 4194304
