-- Cuts the rest of what was heard into items: what decode_trades, decode_fills, decode_markets and decode_leaderboard take is left to them, nothing else is. Grain: one item;
-- schemas/clickhouse/0025_hyperliquid_items.sql says how items become rows. Parameters: chain, from, to, generation. Reads raw_payloads by (chain, kind, number).
-- kind: ws (a message of the socket), info (an answer; receipts is what was asked), node_trades (lines of a node's files), gap. Items of one type and name count from 0 (place).
-- Answers and messages that nobody here knows become items too, of type unknown; those that are no JSON become garbage.
INSERT INTO hl_items (chain, block_number, source, heard_at, type, request, account, name, place, item, generation)
SELECT {chain:String}, number, if(endpoint = 'synthetic', 'synthetic', kind), fetched_at, piece.1, if(piece.1 IN ('record', 'unknown'), concat('{"channel":', toJSONString(channel), '}'), request), lower(piece.2), piece.3, toUInt32(nth - 1), piece.4, {generation:UInt32}
FROM (
  SELECT number, toString(kind) AS kind, endpoint, fetched_at, receipts AS request, payload,
    multiIf(kind = 'ws', JSONExtractString(payload, 'channel'), kind = 'info', JSONExtractString(request, 'type'), kind) AS channel,
    if(kind = 'ws', JSONExtractRaw(payload, 'data'), payload) AS body,
    if(kind = 'ws' AND JSONType(body, 'user') = 'String', JSONExtractString(body, 'user'), JSONExtractString(request, 'user')) AS asked,
    JSONExtractString(request, 'dex') AS dex, if(JSONHas(body, 'clearinghouseState'), JSONExtractRaw(body, 'clearinghouseState'), body) AS state,
    multiIf(
      kind IN ('ws', 'info') AND NOT isValidJSON(payload), [('garbage', '', '', payload)],
      channel = 'node_trades', arrayFlatten(arrayMap(line -> multiIf(
        NOT isValidJSON(line), [('garbage', '', '', line)],
        arrayMap(event -> ('node_trade', '', '', event), if(JSONHas(line, 'events'), JSONExtractArrayRaw(line, 'events'), [line]))), arrayFilter(line -> line != '', splitByChar('\n', payload)))),
      channel IN ('trades', 'recentTrades', 'userFills', 'userFillsByTime', 'allMids', 'activeAssetCtx', 'activeSpotAssetCtx', 'allDexsAssetCtxs', 'assetCtxs', 'subscriptionResponse', 'pong')
        OR (channel = 'leaderboard' AND kind = 'info') OR (channel = 'l2Book' AND (kind = 'ws' OR body != 'null')) OR (channel = 'user' AND notEmpty(JSONExtractArrayRaw(body, 'fills'))), [],
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
      channel = 'clearinghouseState', arrayConcat([('account', asked, dex, state)], arrayMap(one -> ('position', asked, toString(JSONExtractInt(state, 'time')), one), JSONExtractArrayRaw(state, 'assetPositions'))),
      channel = 'gap', [('gap', '', '', payload)],
      channel IN ('openOrders', 'frontendOpenOrders', 'historicalOrders', 'orderStatus', 'orderUpdates', 'portfolio', 'userRole', 'userFees', 'userRateLimit', 'userTwapSliceFills', 'twapHistory', 'userVaultEquities', 'vaultDetails', 'vaultSummaries',
        'leadingVaults', 'subAccounts', 'extraAgents', 'delegatorHistory', 'delegatorSummary', 'delegations', 'delegatorRewards', 'perpDexs', 'perpsAtOpenInterestCap', 'exchangeStatus', 'spotMeta', 'spotMetaAndAssetCtxs', 'spotClearinghouseState',
        'leaderboard', 'activeAssetData', 'bbo', 'user', 'liquidatable', 'l2Book'),
        arrayMap(one -> ('record', asked, '', one), if(startsWith(body, '['), JSONExtractArrayRaw(body), [body])),
      [('unknown', asked, '', if(body = '', payload, body))]) AS pieces
  FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND raw_payloads.kind IN ('ws', 'info', 'node_trades', 'gap') AND problem = ''
)
ARRAY JOIN pieces AS piece, arrayEnumerateUniq(arrayMap(one -> (one.1, one.3), pieces)) AS nth
SETTINGS deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0
