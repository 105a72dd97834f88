-- Cuts the rest of what was heard into items: what decode_trades, decode_fills, decode_markets and decode_leaderboard take is left to them, nothing else is. Grain: one item;
-- schemas/clickhouse/0025_hyperliquid_items.sql says how items become rows. Parameters: chain, from, to, generation. Reads raw_payloads by (chain, kind, number).
-- kind: ws (a message of the socket), info (an answer; receipts is what was asked), node_trades (lines of a node's files), gap. Items of one type and name count from 0 (place).
-- Answers and messages that nobody here knows become items too, of type unknown; those that are no JSON become garbage.
-- What is not shaped as its kind says becomes an item of type shape beside what can be read of it, a list of the kind and all that was said; so does what stands beside what is read, by its key (name).
-- One block of rows, hence the order: of several, what a view makes for two months can be refused or left out (ClickHouse 26.7).
INSERT INTO hl_items (chain, block_number, source, heard_at, type, request, account, name, place, item, generation)
SELECT {chain:String}, number, if(endpoint = 'synthetic', 'synthetic', kind), fetched_at, piece.1, if(piece.1 IN ('record', 'unknown'), concat('{"channel":', toJSONString(channel), '}'), request), lower(piece.2), piece.3, toUInt32(nth - 1), piece.4, {generation:UInt32}
FROM (
  SELECT number, toString(kind) AS kind, endpoint, fetched_at, receipts AS request, payload,
    multiIf(kind = 'ws', JSONExtractString(payload, 'channel'), kind = 'info', JSONExtractString(request, 'type'), kind) AS channel,
    if(kind = 'ws', JSONExtractRaw(payload, 'data'), payload) AS body,
    if(kind = 'ws' AND JSONType(body, 'user') = 'String', JSONExtractString(body, 'user'), JSONExtractString(request, 'user')) AS asked,
    JSONExtractString(request, 'dex') AS dex, if(JSONHas(body, 'clearinghouseState'), JSONExtractRaw(body, 'clearinghouseState'), body) AS state, JSONHas(state, 'marginSummary') AND JSONType(state, 'assetPositions') != 'Array' AS unlisted,
    arrayConcat(multiIf(
      kind IN ('ws', 'info') AND NOT isValidJSON(payload), [('garbage', '', '', payload)],
      channel = 'node_trades', arrayFlatten(arrayMap(line -> multiIf(
        NOT isValidJSON(line), [('garbage', '', '', line)],
        NOT JSONHas(line, 'events'), [('node_trade', '', '', line)],
        JSONType(line, 'events') != 'Array', [('shape', '', '', concat('["node_trades",', line, ']'))],
        arrayConcat(arrayMap(event -> ('node_trade', '', '', event), JSONExtractArrayRaw(line, 'events')), arrayMap(key -> ('shape', '', key, concat('["node_trades",', JSONExtractRaw(line, key), ']')), arrayFilter(key -> NOT has(['local_time', 'block_time', 'block_number', 'events'], key), JSONExtractKeys(line))))), arrayFilter(line -> line != '', splitByChar('\n', payload)))),
      channel IN ('trades', 'recentTrades', 'userFills', 'userFillsByTime', 'allMids', 'activeAssetCtx', 'activeSpotAssetCtx', 'allDexsAssetCtxs', 'assetCtxs', 'subscriptionResponse', 'pong')
        OR (channel = 'leaderboard' AND kind = 'info') OR (channel = 'l2Book' AND (kind = 'ws' OR body != 'null')) OR (channel = 'user' AND notEmpty(JSONExtractArrayRaw(body, 'fills')) AND hasAll(['fills', 'user', 'isSnapshot'], JSONExtractKeys(body))), [],
      channel = 'user' AND JSONHas(body, 'funding'), [('funding_payment', asked, '', JSONExtractRaw(body, 'funding'))],
      channel = 'metaAndAssetCtxs', arrayConcat(
        arrayMap(one -> ('coin', '', dex, one), JSONExtractArrayRaw(body, 1, 'universe')),
        arrayMap(pair -> ('record', '', pair.1, pair.2), arrayFilter(pair -> pair.1 != 'universe', JSONExtractKeysAndValuesRaw(body, 1)))),
      channel = 'meta', arrayConcat(arrayMap(one -> ('coin', '', dex, one), JSONExtractArrayRaw(body, 'universe')),
        arrayMap(pair -> ('record', '', pair.1, pair.2), arrayFilter(pair -> pair.1 != 'universe', JSONExtractKeysAndValuesRaw(body)))),
      channel IN ('candle', 'candleSnapshot'), arrayMap(one -> ('candle', '', '', one), if(startsWith(body, '{'), [body], JSONExtractArrayRaw(body))),
      channel = 'fundingHistory', arrayMap(one -> ('funding_rate', '', '', one), JSONExtractArrayRaw(body)),
      channel = 'predictedFundings', arrayMap(one -> ('predicted', '', '', one), JSONExtractArrayRaw(body)),
      channel IN ('userFunding', 'userFundings'), arrayMap(one -> ('funding_payment', asked, '', one), if(kind = 'ws', JSONExtractArrayRaw(body, 'fundings'), JSONExtractArrayRaw(body))),
      channel = 'userNonFundingLedgerUpdates', arrayMap(one -> ('ledger', asked, '', one), if(kind = 'ws', JSONExtractArrayRaw(body, 'nonFundingLedgerUpdates'), JSONExtractArrayRaw(body))),
      channel = 'clearinghouseState', if(unlisted, [], arrayConcat([('account', asked, dex, state)], arrayMap(one -> ('position', asked, toString(JSONExtractInt(state, 'time')), one), JSONExtractArrayRaw(state, 'assetPositions')))),
      channel = 'gap', [('gap', '', '', payload)],
      channel IN ('openOrders', 'frontendOpenOrders', 'historicalOrders', 'orderStatus', 'orderUpdates', 'portfolio', 'userRole', 'userFees', 'userRateLimit', 'userTwapSliceFills', 'twapHistory', 'userVaultEquities', 'vaultDetails', 'vaultSummaries',
        'leadingVaults', 'subAccounts', 'extraAgents', 'delegatorHistory', 'delegatorSummary', 'delegations', 'delegatorRewards', 'perpDexs', 'perpsAtOpenInterestCap', 'exchangeStatus', 'spotMeta', 'spotMetaAndAssetCtxs', 'spotClearinghouseState',
        'leaderboard', 'activeAssetData', 'bbo', 'user', 'liquidatable', 'l2Book'),
        arrayMap(one -> ('record', asked, '', one), if(startsWith(body, '['), JSONExtractArrayRaw(body), [body])),
      [('unknown', asked, '', if(body = '', payload, body))]),
    arrayMap(key -> ('shape', '', key, concat('["', channel, '",', if(key = '', body, JSONExtractRaw(body, key)), ']')), multiIf(
      channel NOT IN ('fundingHistory', 'predictedFundings', 'userFunding', 'userFundings', 'userNonFundingLedgerUpdates', 'candle', 'candleSnapshot', 'meta', 'metaAndAssetCtxs', 'user', 'clearinghouseState') OR NOT isValidJSON(payload), [],
      multiIf(
        channel IN ('fundingHistory', 'predictedFundings') OR (kind = 'info' AND channel IN ('userFunding', 'userFundings', 'userNonFundingLedgerUpdates')), JSONType(body) != 'Array',
        channel IN ('candle', 'candleSnapshot'), JSONType(body) NOT IN ('Array', 'Object'),
        channel IN ('userFunding', 'userFundings'), JSONType(body, 'fundings') != 'Array',
        channel = 'userNonFundingLedgerUpdates', JSONType(body, 'nonFundingLedgerUpdates') != 'Array',
        channel = 'meta', JSONType(body, 'universe') != 'Array',
        channel = 'metaAndAssetCtxs', JSONType(body, 1, 'universe') != 'Array' OR JSONType(body, 2) != 'Array' OR JSONLength(body) != 2,
        channel = 'user', JSONHas(body, 'fills') AND JSONType(body, 'fills') != 'Array',
        channel = 'clearinghouseState', unlisted, 0), [''],
      kind = 'ws' AND channel IN ('userFunding', 'userFundings', 'userNonFundingLedgerUpdates'), arrayFilter(key -> NOT has(['user', 'isSnapshot', 'fundings', 'nonFundingLedgerUpdates'], key), JSONExtractKeys(body)), []))) AS pieces
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND raw_payloads.kind IN ('ws', 'info', 'node_trades', 'gap') AND problem = ''
)
ARRAY JOIN pieces AS piece, arrayEnumerateUniq(arrayMap(one -> (one.1, one.3), pieces)) AS nth
ORDER BY number
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1, max_block_size = 1000000000, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
