-- Lands a segment of what was heard, byte for byte. Grain: one payload. No parameters.
-- Data: RowBinary rows of the columns named. receipts is what was asked for; block_hash and parent_hash are the segment's. The generation is 0: a
-- segment is said once, and stays whatever is worked out of it anew. Whole rows: a SELECT from what comes would be planned anew for each.
INSERT INTO raw_payloads (chain, number, block_hash, parent_hash, generation, kind, receipts, payload, endpoint, fetched_at)
FORMAT RowBinary
