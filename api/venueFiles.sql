-- When a venue's node said fills last: its files alone tell those of all accounts. Grain: one row or none. Parameters: chain.
-- Reads raw_payloads backwards by (chain, kind, number).
SELECT toUnixTimestamp64Milli(fetched_at) AS at FROM raw_payloads
WHERE chain = {chain:String} AND kind = 'node_fills' ORDER BY chain DESC, kind DESC, number DESC LIMIT 1
