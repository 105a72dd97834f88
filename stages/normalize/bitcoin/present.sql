-- In which forms a batch's blocks came. Grain: one row; each column counts. Parameters: chain, from, to, generation.
-- Reads raw_payloads by its sort key (chain, kind, number).
SELECT countIf(traces_kind = 'btc_raw') AS bytes, countIf(traces_kind = 'btc_json') AS json FROM raw_payloads
WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND generation = {generation:UInt32}
