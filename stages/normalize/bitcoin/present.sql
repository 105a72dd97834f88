-- What came of a batch: blocks that can be read, rows as JSON, and the attempt that landed it (0 where that is none or several, or not all of its blocks came as bytes, each once): only what that attempt landed is there to read.
-- Grain: one row. Parameters: chain, from, to, generation. Reads raw_payloads by its sort key (chain, kind, number), without what it holds.
SELECT uniqExactIf(number, problem = '') AS blocks, countIf(traces_kind = 'btc_json') AS json,
  if(count() = {to:UInt64} - {from:UInt64} + 1 AND uniqExact(number) = count() AND countIf(traces_kind != 'btc_raw' OR problem != '') = 0 AND uniqExact(attempt) = 1, any(attempt), 0) AS attempt
FROM raw_payloads
WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND kind = 'block' AND generation = {generation:UInt32}
