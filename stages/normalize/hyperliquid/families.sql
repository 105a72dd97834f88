-- What kinds of things were heard in a batch, so that only they are cut: an insert costs the plans of all views behind it, whatever comes. Grain: one row; each
-- column counts payloads, too many at times and never too few. Parameters: chain, from, to. Reads raw_payloads by (chain, kind, number).
SELECT countIf(channel IN ('trades', 'recentTrades')) AS trades, countIf(kind = 'node_fills' OR channel IN ('userFills', 'userFillsByTime', 'user')) AS fills,
  countIf(channel IN ('l2Book', 'allMids', 'activeAssetCtx', 'activeSpotAssetCtx', 'metaAndAssetCtxs', 'allDexsAssetCtxs', 'assetCtxs')) AS markets,
  countIf(channel = 'leaderboard') AS leaders, countIf(kind IN ('info', 'node_trades', 'gap') OR (kind = 'ws' AND channel NOT IN ('trades', 'userFills', 'l2Book', 'allMids', 'activeAssetCtx', 'activeSpotAssetCtx', 'allDexsAssetCtxs', 'assetCtxs', 'subscriptionResponse', 'pong'))) AS rest
FROM (
  SELECT toString(raw_payloads.kind) AS kind, multiIf(raw_payloads.kind = 'ws', JSONExtractString(payload, 'channel'), raw_payloads.kind = 'info', JSONExtractString(receipts, 'type'), '') AS channel FROM raw_payloads
  WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND raw_payloads.kind IN ('ws', 'info', 'node_fills', 'node_trades', 'gap') AND problem = ''
)
