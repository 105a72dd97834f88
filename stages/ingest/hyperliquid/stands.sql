-- Whether a segment stands, and whose it is. Grain: one row or none. Parameters: chain, number. Reads raw_payloads by (chain, kind, number).
SELECT lower(hex(any(block_hash))) AS hash FROM raw_payloads
WHERE chain = {chain:String} AND kind IN ('ws', 'info', 'node_fills', 'node_trades', 'gap') AND number = {number:UInt64} HAVING count() > 0
