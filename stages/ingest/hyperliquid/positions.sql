-- Up to where each of a node's files was read. Grain: one file. Parameters: chain. skip: bytes behind `at`, unpacked, that were read too; torn: the rest of a lost line may come first.
-- Of packed files that were read whole, as once they were, the place is one in what they unpack to. Reads raw_payloads by (chain, kind).
SELECT file, place.1 AS at, place.2 AS skip, place.3 AS torn FROM (
  SELECT JSONExtractString(receipts, 'file') AS file, max(if(endsWith(file, '.lz4') AND NOT JSONHas(receipts, 'skip'), (toUInt64(0), JSONExtractUInt(receipts, 'to'), toUInt8(0)),
    (JSONExtractUInt(receipts, 'to'), JSONExtractUInt(receipts, 'skip'), toUInt8(JSONExtractBool(receipts, 'torn'))))) AS place
  FROM raw_payloads WHERE chain = {chain:String} AND kind IN ('node_fills', 'node_trades', 'gap') AND receipts != '{}' GROUP BY file
) WHERE file != ''
