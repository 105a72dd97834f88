-- Changes of accounts not heard before, once each. Grain: one change. Two of one time, account and hash are the same change where nothing that both say differs: the venue adds fields to changes it told before, and
-- orders them anew, while each start asks for all of them again. However a number is written counts for nothing, and so does what a change cost, since the venue filled that in afterwards; what is null says nothing.
-- Parameters: chain, from, to, generation. Reads hl_read_ledger_updates by (chain, block_number), hl_ledger_updates by its sort key for the accounts and
-- times of the batch, not all between.
INSERT INTO hl_ledger_updates (chain, block_number, source, heard_at, time, account, hash, extra, kind, usdc, delta, generation)
WITH
  raw -> if(startsWith(raw, '"0x'), lower(raw), replaceRegexpOne(trim(BOTH '"' FROM raw), '^(-?[0-9]+)(?:[.]0*|([.][0-9]*[1-9])0*)$', '\\1\\2')) AS plain,
  -- A list of objects is compared object by object, another value as it is.
  raw -> if(match(raw, '^[\\[{].*[{]|^[{]'), arrayMap(part -> arrayMap(pair -> concat(pair[1], ':', plain(pair[2])), extractAllGroupsVertical(part, '"([^"]*)":("[^"]*"|[^,}]*)')), extractAll(raw, '[{][^{}]*[}]')), [[plain(raw)]]) AS said,
  delta -> CAST(arrayMap(pair -> (pair.1, said(pair.2)), arrayFilter(pair -> pair.2 != 'null' AND pair.1 NOT IN ('fee', 'feeToken', 'nativeTokenFee'), JSONExtractKeysAndValuesRaw(delta))), 'Map(String, Array(Array(String)))') AS told,
  (one, other) -> one['type'] = other['type'] AND mapAll((key, parts) -> NOT mapContains(other, key) OR (length(parts) = length(other[key]) AND arrayAll((part, against) -> hasAll(part, against) OR hasAll(against, part), parts, arrayResize(other[key], length(parts)))), one) AS same,
  heard AS (
    SELECT *, told(delta) AS says FROM hl_read_ledger_updates AS h
    WHERE h.chain = {chain:String} AND h.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND h.generation = {generation:UInt32}
    ORDER BY h.block_number, h.heard_at, h.source, h.extra LIMIT 1 BY h.time, h.account, h.hash, h.extra
  )
SELECT {chain:String}, u.1, u.2, u.3, h.time, h.account, h.hash, u.4, u.5, u.6, u.7, {generation:UInt32}
FROM (SELECT time, account, hash, arraySort(row -> (row.1, row.3, row.2, row.4), groupArray((block_number, source, heard_at, extra, kind, usdc, delta, says))) AS rows FROM heard GROUP BY time, account, hash) AS h
LEFT ANY JOIN (
  SELECT time, account, hash, groupArray(told(delta)) AS stood FROM hl_ledger_updates AS stored
  WHERE stored.chain = {chain:String} AND (stored.account, stored.time) IN (SELECT account, time FROM heard) AND stored.block_number < {from:UInt64} GROUP BY time, account, hash
) AS s ON s.time = h.time AND s.account = h.account AND s.hash = h.hash
ARRAY JOIN arrayFilter((row, nth) -> NOT arrayExists(other -> same(row.8, other), s.stood) AND NOT arrayExists(other -> same(row.8, other.8), arraySlice(h.rows, 1, nth - 1)), h.rows, arrayEnumerate(h.rows)) AS u
