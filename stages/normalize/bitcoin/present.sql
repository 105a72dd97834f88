-- What came of a batch: blocks as JSON, and whether each of its blocks landed once and as bytes, so that what this process landed is all there is to read.
-- Grain: one row; the columns count. Parameters: chain, from, to, generation. Reads raw_payloads by its sort key (chain, kind, number), without what it holds.
SELECT countIf(traces_kind = 'btc_json') AS json, toUInt8(count() = {to:UInt64} - {from:UInt64} + 1 AND uniqExact(number) = count() AND countIf(traces_kind != 'btc_raw' OR problem != '') = 0) AS once FROM raw_payloads
WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND generation = {generation:UInt32}
