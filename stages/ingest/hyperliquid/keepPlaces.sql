-- Keeps up to where each of a node's files was read, by what raw_payloads, which lives 30 days, still has of it. Grain: one file of one kind, as folders of either hold files of the same names. Parameters: chain. skip: bytes behind `at`, unpacked, that were read too;
-- torn: the rest of a lost line may come first; told: what follows was told to be lost; life: how often it had become another file, in which places of the one before mean nothing.
-- Of packed files that were read whole, as once they were, the place is one in what they unpack to. Reads raw_payloads by (chain, kind), payloads of gaps alone.
INSERT INTO hl_file_places (chain, kind, file, place)
SELECT {chain:String}, r.kind, r.file, r.place FROM (
  WITH endsWith(file, '.lz4') AND NOT JSONHas(receipts, 'skip') AS whole, JSONExtractUInt(receipts, 'to') AS to
  SELECT said AS kind, JSONExtractString(receipts, 'file') AS file, max((JSONExtractUInt(receipts, 'life'),
    if(whole, toUInt64(0), to), if(whole, to, JSONExtractUInt(receipts, 'skip')), toUInt8(JSONExtractBool(receipts, 'torn')), toUInt8(JSONExtractBool(receipts, 'told')))) AS place
  FROM (
    SELECT toString(kind) AS said, receipts FROM raw_payloads WHERE chain = {chain:String} AND kind IN ('node_fills', 'node_trades') AND receipts != '{}'
    UNION ALL
    SELECT JSONExtractString(payload, 'channel') AS said, receipts FROM raw_payloads WHERE chain = {chain:String} AND kind = 'gap' AND receipts != '{}'
  ) GROUP BY kind, file
) AS r WHERE r.file != ''
