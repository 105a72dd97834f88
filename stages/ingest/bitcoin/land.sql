-- Lands a batch's blocks byte for byte; ingest has checked each by its own hashes. Grain: one block. Parameters: chain, generation, attempt.
-- Data: RowBinary rows (number, hash, parent, endpoint, block, spent, txids, kind). hash and parent as hex; kind is btc_raw (block: its bytes,
-- spent: the outputs its inputs spend, '' where not to be had) or btc_json (block: the whole JSON-RPC answer). txids: the
-- hashes of a raw block's transactions side by side, as ingest worked them out.
INSERT INTO raw_payloads (chain, number, kind, block_hash, parent_hash, problem, generation, endpoint, fetched_at, payload, receipts, traces, traces_kind, attempt)
SELECT {chain:String}, number, 'block', toFixedString(unhex(hash), 32), toFixedString(unhex(parent), 32), '', {generation:UInt32}, endpoint, now64(3, 'UTC'), block, spent, txids, kind, {attempt:UInt64}
FROM input('number UInt64, hash String, parent String, endpoint String, block String, spent String, txids String, kind String')
FORMAT RowBinary
