-- What a made market said, as segments of what was heard, so that all stages take it; endpoint says that it is made. Grain: one payload.
-- Parameters: first (number of the first segment), parent (hash of the one below, hex), begin (Unix milliseconds), span (milliseconds of a segment), upto.
INSERT INTO raw_payloads (chain, number, kind, block_hash, parent_hash, problem, generation, endpoint, fetched_at, payload, receipts, traces, traces_kind)
SELECT 'HL', {first:UInt64} + place, kind, SHA256(concat('synthetic', toString({begin:UInt64}), ' ', toString(place))), if(place = 0, toFixedString(unhex({parent:String}), 32), SHA256(concat('synthetic', toString({begin:UInt64}), ' ', toString(place - 1)))), '', 0, 'synthetic', at, payload, request, '', ''
FROM (SELECT *, dense_rank() OVER (ORDER BY intDiv(greatest(0, toUnixTimestamp64Milli(at) - toInt64({begin:UInt64})), toInt64({span:UInt64}))) - 1 AS place FROM made_said)
