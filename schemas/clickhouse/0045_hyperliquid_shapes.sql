-- Well-formed JSON of another shape than its kind has is told in hl_unknown, as type unknown: whole (field '') or by the key that no rule reads. decode_*.sql say of which shape each kind is. Of messages
-- and answers about trades and fills, and of lines of a node's files of fills, what is told is '' and the example a list around what was said: the views into hl_unknown of those items are as before.
-- A book with a level that is no price and size is refused as a whole: read as 0 it would be the best bid or ask. So is an account without a list of positions: it would hold none.
ALTER TABLE hl_items_books MODIFY QUERY
SELECT chain, block_number, source, heard_at, b.1 AS coin, multiIf(position(b.1, ':') > 0, 'dex', startsWith(b.1, '@') OR position(b.1, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', b.1)[1], '') AS dex, fromUnixTimestamp64Milli(b.2, 'UTC') AS time, arrayMap(level -> (toDecimal128OrZero(level.px, 18), toDecimal128OrZero(level.sz, 18), level.n), JSONExtract(item, 'levels', 1, 'Array(Tuple(px String, sz String, n UInt32))')) AS bids, arrayMap(level -> (toDecimal128OrZero(level.px, 18), toDecimal128OrZero(level.sz, 18), level.n), JSONExtract(item, 'levels', 2, 'Array(Tuple(px String, sz String, n UInt32))')) AS asks, generation
FROM (SELECT *, (JSONExtractString(item, 'coin'), JSONExtractInt(item, 'time')) AS b FROM hl_market_items WHERE type = 'book' AND name = '') AS i
WHERE length(b.1) BETWEEN 1 AND 64 AND b.2 BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_market_items_unknown MODIFY QUERY
SELECT chain, block_number, source, heard_at, heard_at AS time, type, told.1 AS field, told.2 AS reason, substring(item, 1, 500) AS example, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, time Int64, markPx String)') AS x FROM hl_market_items)
ARRAY JOIN if(type = 'unknown', [(substring(name, 1, 64), if(name = '', 'cannot be what it claims', 'a field that no rule reads'))], arrayConcat(arrayMap(key -> (key, 'a field that no rule reads'), arrayFilter(key -> NOT has(if(type = 'book', ['coin', 'time', 'levels', 'spread'], ['funding', 'openInterest', 'prevDayPx', 'dayNtlVlm', 'premium', 'oraclePx', 'markPx', 'midPx', 'impactPxs', 'dayBaseVlm', 'circulatingSupply', 'coin', 'totalSupply']), key), if(type = 'mid', [], JSONExtractKeys(item)))),
  if(multiIf(type != 'book' AND length(name) > 64, 1, type = 'mid', NOT match(replaceAll(item, '"', ''), '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), type = 'book', name != '' OR NOT (length(x.coin) BETWEEN 1 AND 64) OR NOT (x.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000), NOT match(x.markPx, '^-?[0-9]{1,20}([.][0-9]{1,18})?$')), [('', 'cannot be what it claims')], []))) AS told;

ALTER TABLE hl_items_refused MODIFY QUERY
SELECT chain, block_number, source, heard_at, heard_at AS time, if(i.type = 'shape', 'unknown', i.type) AS type, multiIf(i.type = 'unknown', JSONExtractString(request, 'channel'), i.type = 'shape', substring(name, 1, 64), '') AS field,
  multiIf(i.type = 'garbage', 'not JSON', i.type = 'unknown', 'a kind of message that no rule reads', i.type = 'shape' AND name != '', 'a field that no rule reads', 'cannot be what it claims') AS reason, substring(item, 1, 500) AS example, generation
FROM (
  SELECT *, JSONExtract(item, 'Tuple(coin String, s String, side String, px String, sz String, time Int64, t Int64, fundingRate String, name String)') AS x, JSONExtract(item, 'side_info', 'Array(Tuple(user String))') AS sides,
    multiIf(type = 'node_trade', toUnixTimestamp64Milli(parseDateTime64BestEffortOrZero(JSONExtractString(item, 'time'), 3, 'UTC')), type = 'candle', x.t, x.time) AS ms, if(JSONHas(item, 'delta'), JSONExtractRaw(item, 'delta'), item) AS paid
  FROM hl_items
) AS i
WHERE multiIf(i.type IN ('garbage', 'unknown', 'shape'), 1,
  type IN ('funding_payment', 'ledger', 'account', 'position') AND NOT match(account, '^0x[0-9a-fA-F]{40}$'), 1,
  type = 'node_trade' AND NOT (length(x.coin) BETWEEN 1 AND 64 AND x.side IN ('A', 'B') AND match(concatWithSeparator(' ', x.px, x.sz), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})?$') AND toFloat64OrZero(x.px) * toFloat64OrZero(x.sz) <= 1e12 AND match(sides[1].1, '^0x[0-9a-fA-F]{40}$') AND match(sides[2].1, '^0x[0-9a-fA-F]{40}$')), 1,
  type IN ('node_trade', 'candle', 'funding_rate', 'funding_payment', 'ledger') AND NOT (ms BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000), 1,
  type = 'candle' AND NOT (length(x.s) BETWEEN 1 AND 64), 1, type = 'coin' AND NOT (length(x.name) BETWEEN 1 AND 64), 1, type = 'predicted' AND NOT (length(JSONExtractString(item, 1)) BETWEEN 1 AND 64 AND JSONType(item, 2) = 'Array'), 1,
  type = 'funding_rate' AND (NOT (length(x.coin) BETWEEN 1 AND 64) OR NOT match(x.fundingRate, '^-?[0-9]{1,20}([.][0-9]{1,18})?$')), 1,
  type = 'account' AND NOT match(JSONExtractString(item, 'marginSummary', 'accountValue'), '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), 1,
  type = 'position' AND NOT (length(JSONExtractString(item, 'position', 'coin')) BETWEEN 1 AND 64 AND match(JSONExtractString(item, 'position', 'szi'), '^-?[0-9]{1,20}([.][0-9]{1,18})?$')), 1,
  type = 'funding_payment' AND NOT (length(JSONExtractString(paid, 'coin')) BETWEEN 1 AND 64 AND match(JSONExtractString(paid, 'usdc'), '^-?[0-9]{1,12}([.][0-9]{1,18})?$')), 1, 0);
