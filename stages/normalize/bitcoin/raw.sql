-- A batch's blocks as bytes, with the outputs they spend ('' where the node does not say) and the hashes of their transactions ('' in blocks landed by earlier versions). Grain: one block. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number).
-- Of a block that landed twice, by attempts that ran into each other, the answer that came first stands, whatever its shape: decode_json.sql chooses as this does.
SELECT number, block_hash, payload, receipts, traces FROM (
  SELECT number, block_hash, payload, receipts, traces, traces_kind FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND problem = '' AND generation = {generation:UInt32}
  ORDER BY number, fetched_at, traces_kind LIMIT 1 BY number
)
WHERE traces_kind = 'btc_raw'
ORDER BY number
FORMAT RowBinary
