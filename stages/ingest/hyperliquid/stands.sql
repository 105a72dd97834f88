-- Whether a segment stands, and whose it is: all payloads of one have its hash. Grain: one row or none. Parameters: chain, number. Reads raw_payloads by (chain, kind, number).
SELECT lower(hex(block_hash)) AS hash FROM raw_payloads
WHERE chain = {chain:String} AND kind IN ('ws', 'info', 'node_fills', 'node_trades', 'gap') AND number = {number:UInt64} LIMIT 1
