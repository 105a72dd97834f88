-- An amount that is none is never read as 0: a number that its kind always has and that is none, or is not there, refuses the item, which is told in hl_unknown (field ''); one that the venue may leave out and
-- that is none is NULL (of sizes: none) and told by its field. A time of an account that none can have is told, and the account is as of when it was heard, as where there is none. What is refused else is as before (0043 to 0045).
-- A change of money (hl_ledger_updates) is told by its kind and what it says, not by its extra, which only keeps rows in order: stages/enrich/hyperliquid/ledger_updates.sql.
ALTER TABLE hl_items_funding_payments MODIFY QUERY
SELECT chain, block_number, source, heard_at, p.1 AS coin, multiIf(position(p.1, ':') > 0, 'dex', startsWith(p.1, '@') OR position(p.1, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', p.1)[1], '') AS dex, fromUnixTimestamp64Milli(ms, 'UTC') AS time, toFixedString(unhex(substring(i.account, 3)), 20) AS account, toDecimal128OrZero(p.2, 18) AS usdc, toDecimal128OrZero(p.3, 18) AS szi, toDecimal128OrZero(p.4, 18) AS rate, if(match(p.5, '^[0-9]{1,9}$'), toUInt32OrNull(p.5), NULL) AS samples, if(match(h, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(h, 3)), 32), toFixedString('', 32)) AS hash, generation
FROM (SELECT *, JSONExtractInt(item, 'time') AS ms, JSONExtractString(item, 'hash') AS h, JSONExtract(if(JSONHas(item, 'delta'), JSONExtractRaw(item, 'delta'), item), 'Tuple(coin String, usdc String, szi String, fundingRate String, nSamples String)') AS p FROM hl_items WHERE type = 'funding_payment') AS i
WHERE match(i.account, '^0x[0-9a-fA-F]{40}$') AND length(p.1) BETWEEN 1 AND 64 AND match(concatWithSeparator(' ', p.2, p.3, p.4), '^-?[0-9]{1,12}([.][0-9]{1,18})? -?[0-9]{1,20}([.][0-9]{1,18})? -?[0-9]{1,20}([.][0-9]{1,18})?$') AND ms BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_items_funding_rates MODIFY QUERY
SELECT chain, block_number, source, heard_at, r.coin AS coin, multiIf(position(r.coin, ':') > 0, 'dex', startsWith(r.coin, '@') OR position(r.coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', r.coin)[1], '') AS dex, fromUnixTimestamp64Milli(r.time, 'UTC') AS time, toDecimal128OrZero(r.fundingRate, 18) AS rate, if(match(r.premium, '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), toDecimal128OrNull(r.premium, 18), NULL) AS premium, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, fundingRate String, premium String, time Int64)') AS r FROM hl_items WHERE type = 'funding_rate') AS i
WHERE length(r.coin) BETWEEN 1 AND 64 AND match(r.fundingRate, '^-?[0-9]{1,20}([.][0-9]{1,18})?$') AND r.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_items_ledger_updates MODIFY QUERY
SELECT chain, block_number, source, heard_at, fromUnixTimestamp64Milli(ms, 'UTC') AS time, toFixedString(unhex(substring(i.account, 3)), 20) AS account, if(match(h, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(h, 3)), 32), toFixedString('', 32)) AS hash, cityHash64(delta) AS extra, JSONExtractString(delta, 'type') AS kind, if(match(JSONExtractString(delta, 'usdc'), '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), toDecimal128OrNull(JSONExtractString(delta, 'usdc'), 18), NULL) AS usdc, delta, generation
FROM (SELECT *, JSONExtractInt(item, 'time') AS ms, JSONExtractString(item, 'hash') AS h, JSONExtractRaw(item, 'delta') AS delta FROM hl_items WHERE type = 'ledger') AS i
WHERE match(i.account, '^0x[0-9a-fA-F]{40}$') AND kind != '' AND ms BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_items_contexts MODIFY QUERY
SELECT chain, block_number, source, heard_at, if(type = 'context', name, '') AS coin, multiIf(type = 'context_listed' AND name != '', 'dex', position(coin, ':') > 0, 'dex', startsWith(coin, '@') OR position(coin, '/') > 0, 'spot', 'perp') AS market, multiIf(type = 'context_listed', name, market = 'dex', splitByChar(':', coin)[1], '') AS dex, place, heard_at AS time,
  toDecimal128OrZero(c.markPx, 18) AS mark_px, amounts[1] AS mid_px, amounts[2] AS oracle_px, amounts[3] AS rate, amounts[4] AS open_interest, amounts[5] AS premium, toDecimal128OrZero(c.prevDayPx, 18) AS prev_day_px, toDecimal128OrZero(c.dayNtlVlm, 18) AS day_notional, amounts[6] AS day_base,
  amounts[7] AS impact_bid, amounts[8] AS impact_ask, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(dayNtlVlm String, prevDayPx String, markPx String, midPx String, funding String, openInterest String, premium String, oraclePx String, dayBaseVlm String, impactPxs Array(String))') AS c, arrayMap(text -> if(match(text, '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), toDecimal128OrNull(text, 18), NULL), [c.midPx, c.oraclePx, c.funding, c.openInterest, c.premium, c.dayBaseVlm, c.impactPxs[1], c.impactPxs[2]]) AS amounts FROM hl_market_items WHERE type IN ('context', 'context_listed')) AS i
WHERE length(name) <= 64 AND match(concatWithSeparator(' ', c.markPx, c.prevDayPx, c.dayNtlVlm), '^-?[0-9]{1,20}([.][0-9]{1,18})? -?[0-9]{1,20}([.][0-9]{1,18})? -?[0-9]{1,20}([.][0-9]{1,18})?$');

ALTER TABLE hl_items_coins MODIFY QUERY
SELECT chain, block_number, source, heard_at, c.name AS coin, multiIf(position(c.name, ':') > 0, 'dex', startsWith(c.name, '@') OR position(c.name, '/') > 0, 'spot', 'perp') AS market, name AS dex, heard_at AS time, place, toUInt8OrZero(c.szDecimals) AS sz_decimals, toUInt32OrZero(c.maxLeverage) AS max_leverage, if(match(c.marginTableId, '^[0-9]{1,9}$'), toUInt32OrNull(c.marginTableId), NULL) AS margin_table, c.onlyIsolated AS only_isolated, c.isDelisted AS delisted, c.marginMode AS margin_mode, c.growthMode AS growth_mode, JSONExtract(request, 'collateral', 'Nullable(UInt32)') AS collateral, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(name String, szDecimals String, maxLeverage String, marginTableId String, onlyIsolated Bool, isDelisted Bool, marginMode String, growthMode String)') AS c FROM hl_items WHERE type = 'coin') AS i
WHERE length(c.name) BETWEEN 1 AND 64 AND match(concat(c.szDecimals, ' ', c.maxLeverage), '^[0-9]{1,2} [0-9]{1,6}$');

ALTER TABLE hl_items_predicted_fundings MODIFY QUERY
SELECT chain, block_number, source, heard_at, JSONExtractString(item, 1) AS coin, multiIf(position(coin, ':') > 0, 'dex', startsWith(coin, '@') OR position(coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', coin)[1], '') AS dex, heard_at AS time, v.1 AS venue, toDecimal128OrZero(v.2.1, 18) AS rate, fromUnixTimestamp64Milli(v.2.2, 'UTC') AS next_at, toFloat64OrNull(v.2.3) AS interval_hours, generation
FROM hl_items AS i ARRAY JOIN JSONExtract(item, 2, 'Array(Tuple(String, Tuple(fundingRate String, nextFundingTime Int64, fundingIntervalHours Nullable(String))))') AS v
WHERE i.type = 'predicted' AND length(coin) <= 64 AND match(concatWithSeparator(' ', v.2.1, ifNull(v.2.3, '1')), '^-?[0-9]{1,20}([.][0-9]{1,18})? [0-9]{1,4}([.][0-9]{1,18})?$') AND v.2.2 BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 2764800000;

-- The longest candle is of a month.
ALTER TABLE hl_items_candles MODIFY QUERY
SELECT chain, block_number, source, heard_at, k.s AS coin, multiIf(position(k.s, ':') > 0, 'dex', startsWith(k.s, '@') OR position(k.s, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', k.s)[1], '') AS dex, fromUnixTimestamp64Milli(k.t, 'UTC') AS time, k.i AS candle_interval, fromUnixTimestamp64Milli(k.T, 'UTC') AS closes_at, toDecimal128OrZero(k.o, 18) AS open, toDecimal128OrZero(k.h, 18) AS high, toDecimal128OrZero(k.l, 18) AS low, toDecimal128OrZero(k.c, 18) AS close, toDecimal128OrZero(k.v, 18) AS volume, toUInt64OrZero(k.n) AS trades, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(t Int64, T Int64, s String, i String, o String, c String, h String, l String, v String, n String)') AS k FROM hl_items WHERE type = 'candle') AS i
WHERE length(k.s) BETWEEN 1 AND 64 AND match(concatWithSeparator(' ', k.n, k.o, k.h, k.l, k.c, k.v), '^[0-9]{1,15}( -?[0-9]{1,20}([.][0-9]{1,18})?){5}$') AND k.t BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000 AND k.T BETWEEN k.t AND k.t + 2764800000;

ALTER TABLE hl_items_accounts MODIFY QUERY
SELECT chain, block_number, source, heard_at, toFixedString(unhex(substring(i.account, 3)), 20) AS account, name AS dex, if(a.time < 1640995200000, heard_at, least(heard_at, fromUnixTimestamp64Milli(a.time, 'UTC'))) AS time, toDecimal128OrZero(a.marginSummary.accountValue, 18) AS account_value, toDecimal128OrZero(a.marginSummary.totalNtlPos, 18) AS position_value, toDecimal128OrZero(a.marginSummary.totalRawUsd, 18) AS raw_usd, toDecimal128OrZero(a.marginSummary.totalMarginUsed, 18) AS margin_used,
  amounts[1] AS cross_account_value, amounts[2] AS cross_position_value, amounts[3] AS cross_raw_usd, amounts[4] AS cross_margin_used, amounts[5] AS maintenance_margin, toDecimal128OrZero(a.withdrawable, 18) AS withdrawable, toUInt32(length(a.assetPositions)) AS positions, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(marginSummary Tuple(accountValue String, totalNtlPos String, totalRawUsd String, totalMarginUsed String), crossMarginSummary Tuple(accountValue String, totalNtlPos String, totalRawUsd String, totalMarginUsed String), crossMaintenanceMarginUsed String, withdrawable String, time Int64, assetPositions Array(String))') AS a, arrayMap(text -> if(match(text, '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), toDecimal128OrNull(text, 18), NULL), [a.crossMarginSummary.accountValue, a.crossMarginSummary.totalNtlPos, a.crossMarginSummary.totalRawUsd, a.crossMarginSummary.totalMarginUsed, a.crossMaintenanceMarginUsed]) AS amounts FROM hl_items WHERE type = 'account') AS i
WHERE match(i.account, '^0x[0-9a-fA-F]{40}$') AND match(concatWithSeparator(' ', a.marginSummary.accountValue, a.marginSummary.totalNtlPos, a.marginSummary.totalRawUsd, a.marginSummary.totalMarginUsed, a.withdrawable), '^(-?[0-9]{1,20}([.][0-9]{1,18})?( |$)){5}$');

ALTER TABLE hl_items_positions MODIFY QUERY
SELECT chain, block_number, source, heard_at, p.position.coin AS coin, multiIf(position(p.position.coin, ':') > 0, 'dex', startsWith(p.position.coin, '@') OR position(p.position.coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', p.position.coin)[1], '') AS dex, toFixedString(unhex(substring(i.account, 3)), 20) AS account, if(toInt64OrZero(name) < 1640995200000, heard_at, least(heard_at, fromUnixTimestamp64Milli(toInt64OrZero(name), 'UTC'))) AS time, p.type AS kind, toDecimal128OrZero(p.position.szi, 18) AS szi, amounts[1] AS entry_px, toDecimal128OrZero(p.position.positionValue, 18) AS position_value, toDecimal128OrZero(p.position.unrealizedPnl, 18) AS unrealized_pnl, toDecimal128OrZero(p.position.returnOnEquity, 18) AS return_on_equity, amounts[2] AS liquidation_px, toDecimal128OrZero(p.position.marginUsed, 18) AS margin_used,
  p.position.leverage.type AS leverage_kind, toUInt32OrZero(p.position.leverage.value) AS leverage, amounts[3] AS leverage_raw_usd, if(match(p.position.maxLeverage, '^[0-9]{1,9}$'), toUInt32OrNull(p.position.maxLeverage), NULL) AS max_leverage, amounts[4] AS funding_all_time, amounts[5] AS funding_since_open, amounts[6] AS funding_since_change,
  if(arrayExists(size -> NOT match(size, '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), p.position.maxTradeSzs), [], arrayMap(size -> toDecimal128OrZero(size, 18), p.position.maxTradeSzs)) AS max_trade_sizes, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(type String, position Tuple(coin String, szi String, leverage Tuple(type String, value String, rawUsd String), entryPx String, positionValue String, unrealizedPnl String, returnOnEquity String, liquidationPx String, marginUsed String, maxLeverage String, cumFunding Tuple(allTime String, sinceOpen String, sinceChange String), maxTradeSzs Array(String)))') AS p, arrayMap(text -> if(match(text, '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), toDecimal128OrNull(text, 18), NULL), [p.position.entryPx, p.position.liquidationPx, p.position.leverage.rawUsd, p.position.cumFunding.allTime, p.position.cumFunding.sinceOpen, p.position.cumFunding.sinceChange]) AS amounts FROM hl_items WHERE type = 'position') AS i
WHERE match(i.account, '^0x[0-9a-fA-F]{40}$') AND length(p.position.coin) BETWEEN 1 AND 64
  AND match(concatWithSeparator(' ', p.position.leverage.value, p.position.szi, p.position.positionValue, p.position.unrealizedPnl, p.position.returnOnEquity, p.position.marginUsed), '^[0-9]{1,6}( -?[0-9]{1,20}([.][0-9]{1,18})?){5}$');

-- One rule over all that a context may leave out first: contexts come by the hundred, and few have anything to tell. What is asked as the second of two, or in a branch, reads the JSON again each time: stands and
-- fine are asked in a sum, refused below in a condition's first place, said in a lambda.
ALTER TABLE hl_market_items_unknown MODIFY QUERY
SELECT chain, block_number, source, heard_at, heard_at AS time, type, told.1 AS field, told.2 AS reason, substring(item, 1, 500) AS example, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, time Int64, markPx String, prevDayPx String, dayNtlVlm String, midPx Nullable(String), oraclePx Nullable(String), funding Nullable(String), openInterest Nullable(String), premium Nullable(String), dayBaseVlm Nullable(String), impactPxs Nullable(String))') AS x,
    match(concatWithSeparator(' ', x.markPx, x.prevDayPx, x.dayNtlVlm), '^-?[0-9]{1,20}([.][0-9]{1,18})? -?[0-9]{1,20}([.][0-9]{1,18})? -?[0-9]{1,20}([.][0-9]{1,18})?$') AS stands,
    match(concatWithSeparator(' ', ifNull(x.midPx, '0'), ifNull(x.oraclePx, '0'), ifNull(x.funding, '0'), ifNull(x.openInterest, '0'), ifNull(x.premium, '0'), ifNull(x.dayBaseVlm, '0'), ifNull(x.impactPxs, '[0,0]')), '^(-?[0-9]{1,20}([.][0-9]{1,18})? ){6}\\["?-?[0-9]{1,20}([.][0-9]{1,18})?"?,"?-?[0-9]{1,20}([.][0-9]{1,18})?"?\\]$') AS fine
  FROM hl_market_items)
ARRAY JOIN arrayConcat(
  arrayMap(key -> (key, 'a field that no rule reads'), arrayFilter(key -> NOT has(if(type = 'book', ['coin', 'time', 'levels', 'spread'], ['funding', 'openInterest', 'prevDayPx', 'dayNtlVlm', 'premium', 'oraclePx', 'markPx', 'midPx', 'impactPxs', 'dayBaseVlm', 'circulatingSupply', 'coin', 'totalSupply']), key), if(type IN ('mid', 'unknown'), [], JSONExtractKeys(item)))),
  multiIf(type = 'unknown', [(substring(name, 1, 64), if(name = '', 'cannot be what it claims', 'a field that no rule reads'))],
    multiIf(type != 'book' AND length(name) > 64, 1, type = 'mid', NOT match(replaceAll(item, '"', ''), '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), type = 'book', name != '' OR NOT (length(x.coin) BETWEEN 1 AND 64) OR NOT (x.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000), NOT stands), [('', 'cannot be what it claims')], []),
  arrayMap(key -> (key, 'cannot be what it claims'), arrayFilter(key -> NOT match(concat(key, ' ', ifNull(JSONExtract(item, key, 'Nullable(String)'), if(key = 'impactPxs', '[0,0]', '0'))), '^(impactPxs \\["?-?[0-9]{1,20}([.][0-9]{1,18})?"?,"?-?[0-9]{1,20}([.][0-9]{1,18})?"?\\]|[a-zA-Z]+ -?[0-9]{1,20}([.][0-9]{1,18})?)$'),
    if(stands + fine = 2 OR NOT stands OR type IN ('mid', 'book', 'unknown') OR length(name) > 64, [], ['midPx', 'oraclePx', 'funding', 'openInterest', 'premium', 'dayBaseVlm', 'impactPxs'])))) AS told;

-- said: what an item says by key, of what lies within by its path. amounts: what its kind always has, in order.
ALTER TABLE hl_items_refused MODIFY QUERY
SELECT chain, block_number, source, heard_at, heard_at AS time, if(i.type = 'shape', 'unknown', i.type) AS type, told.1 AS field, told.2 AS reason, substring(item, 1, 500) AS example, generation
FROM (
  SELECT *, arrayStringConcat(arrayMap(key -> ifNull(said[key], ''), multiIf(
    type = 'account', ['marginSummary.accountValue', 'marginSummary.totalNtlPos', 'marginSummary.totalRawUsd', 'marginSummary.totalMarginUsed', 'withdrawable'], type = 'position', ['leverage.value', 'szi', 'positionValue', 'unrealizedPnl', 'returnOnEquity', 'marginUsed'],
    type = 'candle', ['n', 'o', 'h', 'l', 'c', 'v'], type = 'coin', ['szDecimals', 'maxLeverage'], type = 'funding_payment', ['usdc', 'szi', 'fundingRate'], [])), ' ') AS amounts,
    multiIf(type IN ('funding_payment', 'ledger', 'account', 'position') AND NOT match(account, '^0x[0-9a-fA-F]{40}$'), 1,
      type = 'node_trade' AND NOT (length(x.coin) BETWEEN 1 AND 64 AND x.side IN ('A', 'B') AND match(concatWithSeparator(' ', x.px, x.sz), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})?$') AND toFloat64OrZero(x.px) * toFloat64OrZero(x.sz) <= 1e12 AND match(sides[1].1, '^0x[0-9a-fA-F]{40}$') AND match(sides[2].1, '^0x[0-9a-fA-F]{40}$')), 1,
      type IN ('node_trade', 'candle', 'funding_rate', 'funding_payment', 'ledger') AND NOT (ms BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000), 1,
      type = 'candle', NOT (length(x.s) BETWEEN 1 AND 64 AND match(amounts, '^[0-9]{1,15}( -?[0-9]{1,20}([.][0-9]{1,18})?){5}$') AND JSONExtractInt(item, 'T') BETWEEN x.t AND x.t + 2764800000),
      type = 'coin', NOT (length(ifNull(said['name'], '')) BETWEEN 1 AND 64 AND match(amounts, '^[0-9]{1,2} [0-9]{1,6}$')), type = 'predicted', NOT (length(JSONExtractString(item, 1)) BETWEEN 1 AND 64 AND JSONType(item, 2) = 'Array'),
      type = 'funding_rate', NOT (length(x.coin) BETWEEN 1 AND 64 AND match(x.fundingRate, '^-?[0-9]{1,20}([.][0-9]{1,18})?$')),
      type = 'funding_payment', NOT (length(ifNull(said['coin'], '')) BETWEEN 1 AND 64 AND match(amounts, '^-?[0-9]{1,12}([.][0-9]{1,18})?( -?[0-9]{1,20}([.][0-9]{1,18})?){2}$')),
      type = 'ledger', ifNull(said['type'], '') = '', type = 'account', NOT match(amounts, '^(-?[0-9]{1,20}([.][0-9]{1,18})?( |$)){5}$'),
      type = 'position', NOT (length(ifNull(said['coin'], '')) BETWEEN 1 AND 64 AND match(amounts, '^[0-9]{1,6}( -?[0-9]{1,20}([.][0-9]{1,18})?){5}$')), 0) AS refused
  FROM (
    SELECT *, JSONExtract(item, 'Tuple(coin String, s String, side String, px String, sz String, time Int64, t Int64, fundingRate String)') AS x, JSONExtract(item, 'side_info', 'Array(Tuple(user String))') AS sides,
      multiIf(type = 'node_trade', toUnixTimestamp64Milli(parseDateTime64BestEffortOrZero(JSONExtractString(item, 'time'), 3, 'UTC')), type = 'candle', x.t, x.time) AS ms,
      multiIf(type IN ('account', 'candle', 'coin', 'funding_rate'), item, type = 'position', JSONExtractRaw(item, 'position'), type = 'ledger' OR (type = 'funding_payment' AND JSONHas(item, 'delta')), JSONExtractRaw(item, 'delta'), type = 'funding_payment', item, '') AS part,
      CAST(arrayConcat(JSONExtractKeysAndValues(part, 'Nullable(String)'), arrayFlatten(arrayMap(key -> arrayMap(pair -> (concat(key, '.', pair.1), pair.2), JSONExtractKeysAndValues(part, key, 'Nullable(String)')),
        if(type IN ('account', 'position'), ['marginSummary', 'crossMarginSummary', 'leverage', 'cumFunding'], [])))), 'Map(String, Nullable(String))') AS said
    FROM hl_items
  )
) AS i
ARRAY JOIN arrayConcat(multiIf(
  i.type = 'garbage', [('', 'not JSON')],
  i.type = 'unknown', [(JSONExtractString(request, 'channel'), 'a kind of message that no rule reads')],
  i.type = 'shape', [(substring(name, 1, 64), if(name = '', 'cannot be what it claims', 'a field that no rule reads'))],
  refused, [('', 'cannot be what it claims')], []),
  arrayMap(field -> (field, 'cannot be what it claims'), arrayConcat(
    arrayMap(key -> concat(multiIf(i.type = 'position', 'position.', i.type = 'ledger', 'delta.', ''), key), arrayFilter(key -> isNotNull(said[key]) AND NOT multiIf(
        key IN ('maxLeverage', 'nSamples', 'marginTableId'), match(said[key], '^[0-9]{1,9}$'), key IN ('cumFunding', 'crossMarginSummary'), startsWith(said[key], '{'), key = 'time', said[key] = '0' OR toInt64OrZero(said[key]) >= 1640995200000,
        key = 'maxTradeSzs', match(said[key], '^\\[("?-?[0-9]{1,20}([.][0-9]{1,18})?"?(,|\\]$))*\\]?$'), match(said[key], '^-?[0-9]{1,20}([.][0-9]{1,18})?$')),
      multiIf(refused, [], i.type = 'account', ['time', 'crossMaintenanceMarginUsed', 'crossMarginSummary', 'crossMarginSummary.accountValue', 'crossMarginSummary.totalNtlPos', 'crossMarginSummary.totalRawUsd', 'crossMarginSummary.totalMarginUsed'],
        i.type = 'position', ['entryPx', 'liquidationPx', 'maxLeverage', 'maxTradeSzs', 'leverage.rawUsd', 'cumFunding', 'cumFunding.allTime', 'cumFunding.sinceOpen', 'cumFunding.sinceChange'],
        i.type = 'funding_rate', ['premium'], i.type = 'funding_payment', ['nSamples'], i.type = 'coin', ['marginTableId'], i.type = 'ledger', ['usdc', 'amount', 'netWithdrawnUsd', 'fee'], []))),
    arrayMap(one -> substring(JSONExtractString(one, 1), 1, 64), arrayFilter(one -> NOT (JSONType(one) = 'Array' AND (JSONType(one, 2) = 'Null' OR (match(concatWithSeparator(' ', JSONExtract(one, 2, 'Tuple(fundingRate String)').1, ifNull(JSONExtract(one, 2, 'Tuple(fundingIntervalHours Nullable(String))').1, '1')), '^-?[0-9]{1,20}([.][0-9]{1,18})? [0-9]{1,4}([.][0-9]{1,18})?$')
      AND JSONExtractInt(one, 2, 'nextFundingTime') BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 2764800000))), JSONExtractArrayRaw(if(i.type = 'predicted' AND NOT refused, item, ''), 2)))))) AS told;
