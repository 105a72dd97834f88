-- A batch's blocks as bytes, with the outputs they spend ('' where the node does not say) and the hashes of their transactions ('' in blocks landed by earlier versions). Grain: one block. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number).
SELECT number, block_hash, payload, receipts, traces FROM raw_payloads
WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND traces_kind = 'btc_raw' AND problem = '' AND generation = {generation:UInt32}
ORDER BY number LIMIT 1 BY number
FORMAT RowBinary
