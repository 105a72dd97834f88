-- Lands a segment of what was heard, byte for byte. Grain: one payload. Parameters: chain, number, hash, parent (hex, of the segment).
-- Data: RowBinary rows (kind, request, payload, endpoint, Unix milliseconds). receipts is what was asked for. The generation is 0: a
-- segment is said once, and stays whatever is worked out of it anew.
INSERT INTO raw_payloads (chain, number, kind, block_hash, parent_hash, problem, generation, endpoint, fetched_at, payload, receipts, traces, traces_kind)
SELECT {chain:String}, {number:UInt64}, kind, toFixedString(unhex({hash:String}), 32), toFixedString(unhex({parent:String}), 32), '', 0, endpoint, fromUnixTimestamp64Milli(toInt64(at), 'UTC'), payload, request, '', ''
FROM input('kind String, request String, payload String, endpoint String, at UInt64')
FORMAT RowBinary
