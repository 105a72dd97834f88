-- When the socket was heard last: answers to questions and gaps go on while it is cut. Grain: one row or none. Parameters: chain, before (Unix milliseconds: what is heard since the start says nothing of before).
-- Reads raw_payloads backwards by (chain, kind, number).
SELECT toUnixTimestamp64Milli(fetched_at) AS at FROM raw_payloads
WHERE chain = {chain:String} AND kind = 'ws' AND fetched_at < fromUnixTimestamp64Milli({before:Int64}, 'UTC') ORDER BY chain DESC, kind DESC, number DESC LIMIT 1
