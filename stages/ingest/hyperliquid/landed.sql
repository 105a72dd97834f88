-- Whether a batch's segments stand in full. Grain: one row. Parameters: chain, from, to. Reads raw_payloads by (chain, kind, number).
SELECT uniqExact(number) AS segments, lower(hex(argMax(block_hash, number))) AS hash, count() AS payloads, sum(length(payload)) AS bytes, argMax(endpoint, number) AS endpoint FROM raw_payloads
WHERE chain = {chain:String} AND kind IN ('ws', 'info', 'node_fills', 'node_trades', 'gap') AND number BETWEEN {from:UInt64} AND {to:UInt64}
