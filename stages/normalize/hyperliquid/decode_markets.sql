-- Cuts what is seen of markets out of what was heard: books, contexts, middle prices. Grain: one item; schemas/clickhouse/0025_hyperliquid_items.sql
-- says how items become rows. Items of one type and name count from 0 (place): where a context stands in the list of its dex.
-- A book's name is '' or, where its levels are not two lists of prices and sizes, levels. What is not shaped as its channel says becomes an item of type unknown, a list of the channel and all that was said; so does what
-- stands beside what is read, by its key (name). Parameters: chain, from, to, generation. Reads raw_payloads by (chain, kind, number). An answer that is not JSON, or no book, is decode_rest's; so is the shape of metaAndAssetCtxs.
-- One block of rows, hence the order: of several, what a view makes for two months can be refused or left out (ClickHouse 26.7).
INSERT INTO hl_market_items (chain, block_number, source, heard_at, type, request, account, name, place, item, generation)
SELECT {chain:String}, number, if(endpoint = 'synthetic', 'synthetic', kind), fetched_at, piece.1, receipts, '', piece.2, toUInt32(nth - 1), piece.3, {generation:UInt32}
FROM (
  SELECT number, toString(kind) AS kind, endpoint, fetched_at, receipts, if(kind = 'ws', JSONExtractString(payload, 'channel'), JSONExtractString(receipts, 'type')) AS channel, if(kind = 'ws', JSONExtractRaw(payload, 'data'), payload) AS body,
    arrayConcat(multiIf(
      channel = 'l2Book', if(body = 'null' AND kind = 'info', [], [('book', if(arrayMap(side -> startsWith(side, '[') AND arrayCount(level -> match(concat(level.px, ' ', level.sz), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})?$'), JSONExtract(side, 'Array(Tuple(px String, sz String))')) = JSONLength(side),
        if(kind = 'ws', JSONExtractArrayRaw(payload, 'data', 'levels'), JSONExtractArrayRaw(payload, 'levels'))) = [1, 1], '', 'levels'), body)]),
      channel = 'allMids', arrayMap(pair -> ('mid', pair.1, pair.2), JSONExtractKeysAndValuesRaw(if(kind = 'ws', JSONExtractRaw(body, 'mids'), body))),
      channel IN ('activeAssetCtx', 'activeSpotAssetCtx'), [('context', JSONExtractString(body, 'coin'), JSONExtractRaw(body, 'ctx'))],
      channel = 'metaAndAssetCtxs', arrayMap((one, coin) -> ('context', JSONExtractString(coin, 'name'), one), JSONExtractArrayRaw(body, 2), arrayResize(JSONExtractArrayRaw(body, 1, 'universe'), length(JSONExtractArrayRaw(body, 2)), '{}')),
      channel = 'allDexsAssetCtxs', arrayFlatten(arrayMap(list -> arrayMap(one -> ('context_listed', JSONExtractString(list, 1), one), JSONExtractArrayRaw(list, 2)), JSONExtractArrayRaw(body, 'ctxs'))),
      arrayMap(one -> ('context_listed', JSONExtractString(body, 'dex'), one), JSONExtractArrayRaw(body, 'ctxs'))),
    arrayMap(key -> ('unknown', key, concat('["', channel, '",', if(key = '', body, JSONExtractRaw(body, key)), ']')), multiIf(
      channel IN ('l2Book', 'metaAndAssetCtxs'), [],
      kind = 'info', if(JSONType(payload) = 'Object', [], ['']),
      channel = 'allMids' AND JSONType(payload, 'data', 'mids') != 'Object', [''],
      channel IN ('allDexsAssetCtxs', 'assetCtxs') AND (JSONType(payload, 'data', 'ctxs') != 'Array' OR (channel = 'allDexsAssetCtxs' AND arrayExists(list -> JSONType(list, 2) != 'Array', JSONExtractArrayRaw(payload, 'data', 'ctxs')))), [''],
      arrayFilter(key -> NOT has(['mids', 'dex', 'coin', 'ctx', 'ctxs'], key), JSONExtractKeys(payload, 'data'))))) AS pieces
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND raw_payloads.kind IN ('ws', 'info') AND problem = ''
    AND channel IN ('l2Book', 'allMids', 'activeAssetCtx', 'activeSpotAssetCtx', 'metaAndAssetCtxs', 'allDexsAssetCtxs', 'assetCtxs') AND (raw_payloads.kind = 'ws' OR isValidJSON(payload))
)
ARRAY JOIN pieces AS piece, arrayEnumerateUniq(arrayMap(one -> (one.1, one.2), pieces)) AS nth
ORDER BY number
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1, max_block_size = 1000000000, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
