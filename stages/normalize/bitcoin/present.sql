-- Whether blocks of a batch came as JSON. Grain: one row; the column counts. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number).
SELECT countIf(traces_kind = 'btc_json') AS json FROM raw_payloads
WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND generation = {generation:UInt32}
