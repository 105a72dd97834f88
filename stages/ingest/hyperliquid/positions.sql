-- Up to where each of a node's files was read. Grain: one file. Parameters: chain. Reads raw_payloads by (chain, kind).
SELECT JSONExtractString(receipts, 'file') AS file, max(JSONExtractUInt(receipts, 'to')) AS position FROM raw_payloads
WHERE chain = {chain:String} AND kind IN ('node_fills', 'node_trades') GROUP BY file
