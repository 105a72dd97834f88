-- What else is refused of what the venue says, by the rules of 0025, 0034 and 0035 and these two, and told in hl_unknown. A coin's name has 64 bytes at most: the longest known has a
-- dozen. What a trade or fill is worth is at most 10^12 dollars, which is more than the whole venue deals in a month; so is what a fill earned, its fee and what was paid as funding. Prices, sizes
-- and positions have 18 digits before the point: sums of two fit their type, and sums of what is worth so much do for 10^8 of them. Of trades in a node's files prices and sizes have no sign either.
ALTER TABLE hl_items_fills MODIFY QUERY
SELECT chain, block_number, source, heard_at, f.coin AS coin, multiIf(position(f.coin, ':') > 0, 'dex', startsWith(f.coin, '@') OR position(f.coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', f.coin)[1], '') AS dex, fromUnixTimestamp64Milli(f.time, 'UTC') AS time, f.tid AS tid, if(tid = 0, cityHash64(f.oid, f.startPosition, f.px, f.sz), 0) AS extra, toFixedString(unhex(substring(i.account, 3)), 20) AS account, if(f.side = 'B', 'buy', 'sell') AS side, toDecimal128OrZero(f.px, 18) AS px, toDecimal128OrZero(f.sz, 18) AS sz,
  toDecimal128OrZero(f.startPosition, 18) AS start_position, f.dir AS dir, toDecimal128OrZero(f.closedPnl, 18) AS closed_pnl, if(match(f.hash, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(f.hash, 3)), 32), toFixedString('', 32)) AS hash, f.oid AS oid, f.crossed AS crossed, toDecimal128OrZero(f.fee, 18) AS fee, toDecimal128OrNull(f.builderFee, 18) AS builder_fee, f.feeToken AS fee_token, f.twapId AS twap_id, f.cloid AS cloid,
  if(match(f.liquidation.liquidatedUser, '^0x[0-9a-fA-F]{40}$'), toFixedString(unhex(substring(f.liquidation.liquidatedUser, 3)), 20), toFixedString('', 20)) AS liquidated_account, toDecimal128OrNull(f.liquidation.markPx, 18) AS liquidation_mark, f.liquidation.method AS liquidation_method, toUInt64OrNull(name) AS venue_block, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, px String, sz String, side String, time Int64, startPosition String, dir String, closedPnl String, hash String, oid UInt64, crossed Bool, fee String, builderFee String, tid UInt64, feeToken String, twapId Nullable(UInt64), cloid String, liquidation Tuple(liquidatedUser String, markPx String, method String))') AS f FROM hl_fill_items WHERE type = 'fill') AS i
WHERE match(i.account, '^0x[0-9a-fA-F]{40}$') AND length(f.coin) BETWEEN 1 AND 64 AND f.side IN ('A', 'B') AND match(concatWithSeparator(' ', f.px, f.sz, f.startPosition, f.closedPnl, f.fee), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})? -?[0-9]{1,18}([.][0-9]{1,18})? -?[0-9]{1,12}([.][0-9]{1,18})? -?[0-9]{1,12}([.][0-9]{1,18})?$') AND toFloat64OrZero(f.px) * toFloat64OrZero(f.sz) <= 1e12 AND f.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_fill_items_unknown MODIFY QUERY
SELECT chain, block_number, source, heard_at, heard_at AS time, type, told.1 AS field, told.2 AS reason, substring(item, 1, 500) AS example, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, side String, px String, sz String, startPosition String, closedPnl String, fee String, time Int64)') AS x FROM hl_fill_items)
ARRAY JOIN arrayConcat(arrayMap(key -> (key, 'a field that no rule reads'), arrayFilter(key -> NOT has(['coin', 'px', 'sz', 'side', 'time', 'startPosition', 'dir', 'closedPnl', 'hash', 'oid', 'crossed', 'fee', 'builderFee', 'tid', 'feeToken', 'twapId', 'cloid', 'liquidation', 'liquidation.liquidatedUser', 'liquidation.markPx', 'liquidation.method'], key), arrayConcat(JSONExtractKeys(item), arrayMap(key -> concat('liquidation.', key), JSONExtractKeys(item, 'liquidation'))))),
  if(type = 'garbage' OR NOT (match(account, '^0x[0-9a-fA-F]{40}$') AND length(x.coin) BETWEEN 1 AND 64 AND x.side IN ('A', 'B') AND match(concatWithSeparator(' ', x.px, x.sz, x.startPosition, x.closedPnl, x.fee), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})? -?[0-9]{1,18}([.][0-9]{1,18})? -?[0-9]{1,12}([.][0-9]{1,18})? -?[0-9]{1,12}([.][0-9]{1,18})?$') AND toFloat64OrZero(x.px) * toFloat64OrZero(x.sz) <= 1e12 AND x.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000), [('', if(type = 'garbage', 'not JSON', 'cannot be what it claims'))], [])) AS told;

ALTER TABLE hl_items_trades MODIFY QUERY
SELECT chain, block_number, source, heard_at, t.coin AS coin, multiIf(position(t.coin, ':') > 0, 'dex', startsWith(t.coin, '@') OR position(t.coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', t.coin)[1], '') AS dex, fromUnixTimestamp64Milli(t.time, 'UTC') AS time, t.tid AS tid, if(tid = 0, cityHash64(t.px, t.sz, t.users), 0) AS extra, if(t.side = 'B', 'buy', 'sell') AS side, toDecimal128OrZero(t.px, 18) AS px, toDecimal128OrZero(t.sz, 18) AS sz,
  toFixedString(unhex(substring(t.users[1], 3)), 20) AS buyer, toFixedString(unhex(substring(t.users[2], 3)), 20) AS seller, toUInt64(0) AS buyer_oid, toUInt64(0) AS seller_oid, if(match(t.hash, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(t.hash, 3)), 32), toFixedString('', 32)) AS hash, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, side String, px String, sz String, time Int64, hash String, tid UInt64, users Array(String))') AS t FROM hl_trade_items WHERE type = 'trade') AS i
WHERE length(t.coin) BETWEEN 1 AND 64 AND t.side IN ('A', 'B') AND match(concatWithSeparator(' ', t.px, t.sz), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})?$') AND toFloat64OrZero(t.px) * toFloat64OrZero(t.sz) <= 1e12 AND match(t.users[1], '^0x[0-9a-fA-F]{40}$') AND match(t.users[2], '^0x[0-9a-fA-F]{40}$') AND t.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_trade_items_unknown MODIFY QUERY
SELECT chain, block_number, source, heard_at, heard_at AS time, type, told.1 AS field, told.2 AS reason, substring(item, 1, 500) AS example, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, side String, px String, sz String, time Int64, users Array(String))') AS x FROM hl_trade_items)
ARRAY JOIN arrayConcat(arrayMap(key -> (key, 'a field that no rule reads'), arrayFilter(key -> NOT has(['coin', 'side', 'px', 'sz', 'time', 'hash', 'tid', 'users'], key), JSONExtractKeys(item))),
  if(NOT (length(x.coin) BETWEEN 1 AND 64 AND x.side IN ('A', 'B') AND match(concatWithSeparator(' ', x.px, x.sz), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})?$') AND toFloat64OrZero(x.px) * toFloat64OrZero(x.sz) <= 1e12 AND match(x.users[1], '^0x[0-9a-fA-F]{40}$') AND match(x.users[2], '^0x[0-9a-fA-F]{40}$') AND x.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000), [('', 'cannot be what it claims')], [])) AS told;

ALTER TABLE hl_hear_trades MODIFY QUERY
SELECT number, fetched_at, t.1 AS coin, fromUnixTimestamp64Milli(t.5, 'UTC') AS time, t.7 AS tid, if(t.2 = 'B', 'buy', 'sell') AS side, toDecimal128OrZero(t.3, 18) AS px, toDecimal128OrZero(t.4, 18) AS sz,
  toFixedString(unhex(substring(t.8[1], 3)), 20) AS buyer, toFixedString(unhex(substring(t.8[2], 3)), 20) AS seller, if(match(t.6, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(t.6, 3)), 32), toFixedString('', 32)) AS hash
FROM (
  SELECT number, fetched_at, arrayJoin(JSONExtract(payload, 'data', 'Array(Tuple(coin String, side String, px String, sz String, time Int64, hash String, tid UInt64, users Array(String)))')) AS t FROM raw_payloads
  WHERE chain = 'HL' AND kind = 'ws' AND problem = '' AND JSONExtractString(payload, 'channel') = 'trades'
)
WHERE t.7 != 0 AND length(t.1) BETWEEN 1 AND 64 AND toFloat64OrZero(t.3) * toFloat64OrZero(t.4) <= 1e12 AND t.5 BETWEEN 1640995200000 AND toUnixTimestamp64Milli(fetched_at) + 86400000
  AND match(concatWithSeparator(' ', t.2, t.3, t.4, t.8[1], t.8[2]), '^[AB] [0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})? 0x[0-9a-fA-F]{40} 0x[0-9a-fA-F]{40}$');

ALTER TABLE hl_items_node_trades MODIFY QUERY
SELECT chain, block_number, source, heard_at, t.coin AS coin, multiIf(position(t.coin, ':') > 0, 'dex', startsWith(t.coin, '@') OR position(t.coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', t.coin)[1], '') AS dex, at AS time, toUInt64(0) AS tid, cityHash64(t.px, t.sz, t.side_info.oid) AS extra, if(t.side = 'B', 'buy', 'sell') AS side, toDecimal128OrZero(t.px, 18) AS px, toDecimal128OrZero(t.sz, 18) AS sz,
  toFixedString(unhex(substring(t.side_info[1].user, 3)), 20) AS buyer, toFixedString(unhex(substring(t.side_info[2].user, 3)), 20) AS seller, t.side_info[1].oid AS buyer_oid, t.side_info[2].oid AS seller_oid, if(match(t.hash, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(t.hash, 3)), 32), toFixedString('', 32)) AS hash, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, side String, time String, px String, sz String, hash String, trade_dir_override String, side_info Array(Tuple(user String, start_pos String, oid UInt64, twap_id Nullable(UInt64), cloid String)))') AS t, parseDateTime64BestEffortOrZero(t.time, 3, 'UTC') AS at FROM hl_items WHERE type = 'node_trade') AS i
WHERE length(t.coin) BETWEEN 1 AND 64 AND t.side IN ('A', 'B') AND match(concatWithSeparator(' ', t.px, t.sz), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})?$') AND toFloat64OrZero(t.px) * toFloat64OrZero(t.sz) <= 1e12 AND match(t.side_info[1].user, '^0x[0-9a-fA-F]{40}$') AND match(t.side_info[2].user, '^0x[0-9a-fA-F]{40}$') AND toUnixTimestamp64Milli(at) BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_items_funding_payments MODIFY QUERY
SELECT chain, block_number, source, heard_at, p.1 AS coin, multiIf(position(p.1, ':') > 0, 'dex', startsWith(p.1, '@') OR position(p.1, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', p.1)[1], '') AS dex, fromUnixTimestamp64Milli(ms, 'UTC') AS time, toFixedString(unhex(substring(i.account, 3)), 20) AS account, toDecimal128OrZero(p.2, 18) AS usdc, toDecimal128OrZero(p.3, 18) AS szi, toDecimal128OrZero(p.4, 18) AS rate, p.5 AS samples, if(match(h, '^0x[0-9a-fA-F]{64}$'), toFixedString(unhex(substring(h, 3)), 32), toFixedString('', 32)) AS hash, generation
FROM (SELECT *, JSONExtractInt(item, 'time') AS ms, JSONExtractString(item, 'hash') AS h, JSONExtract(if(JSONHas(item, 'delta'), JSONExtractRaw(item, 'delta'), item), 'Tuple(coin String, usdc String, szi String, fundingRate String, nSamples Nullable(UInt32))') AS p FROM hl_items WHERE type = 'funding_payment') AS i
WHERE match(i.account, '^0x[0-9a-fA-F]{40}$') AND length(p.1) BETWEEN 1 AND 64 AND match(p.2, '^-?[0-9]{1,12}([.][0-9]{1,18})?$') AND match(p.3, '^-?[0-9]{1,20}([.][0-9]{1,18})?$') AND ms BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_items_funding_rates MODIFY QUERY
SELECT chain, block_number, source, heard_at, r.coin AS coin, multiIf(position(r.coin, ':') > 0, 'dex', startsWith(r.coin, '@') OR position(r.coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', r.coin)[1], '') AS dex, fromUnixTimestamp64Milli(r.time, 'UTC') AS time, toDecimal128OrZero(r.fundingRate, 18) AS rate, toDecimal128OrNull(r.premium, 18) AS premium, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, fundingRate String, premium String, time Int64)') AS r FROM hl_items WHERE type = 'funding_rate') AS i
WHERE length(r.coin) BETWEEN 1 AND 64 AND match(r.fundingRate, '^-?[0-9]{1,20}([.][0-9]{1,18})?$') AND r.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_items_books MODIFY QUERY
SELECT chain, block_number, source, heard_at, b.1 AS coin, multiIf(position(b.1, ':') > 0, 'dex', startsWith(b.1, '@') OR position(b.1, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', b.1)[1], '') AS dex, fromUnixTimestamp64Milli(b.2, 'UTC') AS time, arrayMap(level -> (toDecimal128OrZero(level.px, 18), toDecimal128OrZero(level.sz, 18), level.n), JSONExtract(item, 'levels', 1, 'Array(Tuple(px String, sz String, n UInt32))')) AS bids, arrayMap(level -> (toDecimal128OrZero(level.px, 18), toDecimal128OrZero(level.sz, 18), level.n), JSONExtract(item, 'levels', 2, 'Array(Tuple(px String, sz String, n UInt32))')) AS asks, generation
FROM (SELECT *, (JSONExtractString(item, 'coin'), JSONExtractInt(item, 'time')) AS b FROM hl_market_items WHERE type = 'book') AS i
WHERE length(b.1) BETWEEN 1 AND 64 AND b.2 BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_items_contexts MODIFY QUERY
SELECT chain, block_number, source, heard_at, if(type = 'context', name, '') AS coin, multiIf(type = 'context_listed' AND name != '', 'dex', position(coin, ':') > 0, 'dex', startsWith(coin, '@') OR position(coin, '/') > 0, 'spot', 'perp') AS market, multiIf(type = 'context_listed', name, market = 'dex', splitByChar(':', coin)[1], '') AS dex, place, heard_at AS time,
  toDecimal128OrZero(c.markPx, 18) AS mark_px, toDecimal128OrNull(c.midPx, 18) AS mid_px, toDecimal128OrNull(c.oraclePx, 18) AS oracle_px, toDecimal128OrNull(c.funding, 18) AS rate, toDecimal128OrNull(c.openInterest, 18) AS open_interest, toDecimal128OrNull(c.premium, 18) AS premium, toDecimal128OrZero(c.prevDayPx, 18) AS prev_day_px, toDecimal128OrZero(c.dayNtlVlm, 18) AS day_notional, toDecimal128OrNull(c.dayBaseVlm, 18) AS day_base,
  toDecimal128OrNull(c.impactPxs[1], 18) AS impact_bid, toDecimal128OrNull(c.impactPxs[2], 18) AS impact_ask, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(dayNtlVlm String, prevDayPx String, markPx String, midPx String, funding String, openInterest String, premium String, oraclePx String, dayBaseVlm String, impactPxs Array(String))') AS c FROM hl_market_items WHERE type IN ('context', 'context_listed')) AS i
WHERE length(name) <= 64 AND match(c.markPx, '^-?[0-9]{1,20}([.][0-9]{1,18})?$');

ALTER TABLE hl_items_mids MODIFY QUERY
SELECT chain, block_number, source, heard_at, name AS coin, multiIf(position(name, ':') > 0, 'dex', startsWith(name, '@') OR position(name, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', name)[1], '') AS dex, heard_at AS time, toDecimal128OrZero(replaceAll(item, '"', ''), 18) AS px, generation
FROM hl_market_items AS i
WHERE i.type = 'mid' AND length(name) <= 64 AND match(replaceAll(item, '"', ''), '^-?[0-9]{1,20}([.][0-9]{1,18})?$');

ALTER TABLE hl_items_coins MODIFY QUERY
SELECT chain, block_number, source, heard_at, c.name AS coin, multiIf(position(c.name, ':') > 0, 'dex', startsWith(c.name, '@') OR position(c.name, '/') > 0, 'spot', 'perp') AS market, name AS dex, heard_at AS time, place, c.szDecimals AS sz_decimals, c.maxLeverage AS max_leverage, c.marginTableId AS margin_table, c.onlyIsolated AS only_isolated, c.isDelisted AS delisted, c.marginMode AS margin_mode, c.growthMode AS growth_mode, JSONExtract(request, 'collateral', 'Nullable(UInt32)') AS collateral, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(name String, szDecimals UInt8, maxLeverage UInt32, marginTableId Nullable(UInt32), onlyIsolated Bool, isDelisted Bool, marginMode String, growthMode String)') AS c FROM hl_items WHERE type = 'coin') AS i
WHERE length(c.name) BETWEEN 1 AND 64;

ALTER TABLE hl_items_predicted_fundings MODIFY QUERY
SELECT chain, block_number, source, heard_at, JSONExtractString(item, 1) AS coin, multiIf(position(coin, ':') > 0, 'dex', startsWith(coin, '@') OR position(coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', coin)[1], '') AS dex, heard_at AS time, v.1 AS venue, toDecimal128OrZero(v.2.1, 18) AS rate, fromUnixTimestamp64Milli(v.2.2, 'UTC') AS next_at, v.2.3 AS interval_hours, generation
FROM hl_items AS i ARRAY JOIN JSONExtract(item, 2, 'Array(Tuple(String, Tuple(fundingRate String, nextFundingTime Int64, fundingIntervalHours Nullable(Float64))))') AS v
WHERE i.type = 'predicted' AND length(coin) <= 64 AND match(v.2.1, '^-?[0-9]{1,20}([.][0-9]{1,18})?$');

ALTER TABLE hl_items_candles MODIFY QUERY
SELECT chain, block_number, source, heard_at, k.s AS coin, multiIf(position(k.s, ':') > 0, 'dex', startsWith(k.s, '@') OR position(k.s, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', k.s)[1], '') AS dex, fromUnixTimestamp64Milli(k.t, 'UTC') AS time, k.i AS candle_interval, fromUnixTimestamp64Milli(k.T, 'UTC') AS closes_at, toDecimal128OrZero(k.o, 18) AS open, toDecimal128OrZero(k.h, 18) AS high, toDecimal128OrZero(k.l, 18) AS low, toDecimal128OrZero(k.c, 18) AS close, toDecimal128OrZero(k.v, 18) AS volume, k.n AS trades, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(t Int64, T Int64, s String, i String, o String, c String, h String, l String, v String, n UInt64)') AS k FROM hl_items WHERE type = 'candle') AS i
WHERE length(k.s) BETWEEN 1 AND 64 AND match(k.o, '^-?[0-9]{1,20}([.][0-9]{1,18})?$') AND match(k.h, '^-?[0-9]{1,20}([.][0-9]{1,18})?$') AND match(k.l, '^-?[0-9]{1,20}([.][0-9]{1,18})?$') AND match(k.c, '^-?[0-9]{1,20}([.][0-9]{1,18})?$') AND k.t BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000;

ALTER TABLE hl_items_positions MODIFY QUERY
SELECT chain, block_number, source, heard_at, p.position.coin AS coin, multiIf(position(p.position.coin, ':') > 0, 'dex', startsWith(p.position.coin, '@') OR position(p.position.coin, '/') > 0, 'spot', 'perp') AS market, if(market = 'dex', splitByChar(':', p.position.coin)[1], '') AS dex, toFixedString(unhex(substring(i.account, 3)), 20) AS account, if(name = '0', heard_at, fromUnixTimestamp64Milli(toInt64OrZero(name), 'UTC')) AS time, p.type AS kind, toDecimal128OrZero(p.position.szi, 18) AS szi, toDecimal128OrNull(p.position.entryPx, 18) AS entry_px, toDecimal128OrZero(p.position.positionValue, 18) AS position_value, toDecimal128OrZero(p.position.unrealizedPnl, 18) AS unrealized_pnl, toDecimal128OrZero(p.position.returnOnEquity, 18) AS return_on_equity, toDecimal128OrNull(p.position.liquidationPx, 18) AS liquidation_px, toDecimal128OrZero(p.position.marginUsed, 18) AS margin_used,
  p.position.leverage.type AS leverage_kind, p.position.leverage.value AS leverage, toDecimal128OrNull(p.position.leverage.rawUsd, 18) AS leverage_raw_usd, p.position.maxLeverage AS max_leverage, toDecimal128OrNull(p.position.cumFunding.allTime, 18) AS funding_all_time, toDecimal128OrNull(p.position.cumFunding.sinceOpen, 18) AS funding_since_open, toDecimal128OrNull(p.position.cumFunding.sinceChange, 18) AS funding_since_change, arrayMap(size -> toDecimal128OrZero(size, 18), p.position.maxTradeSzs) AS max_trade_sizes, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(type String, position Tuple(coin String, szi String, leverage Tuple(type String, value UInt32, rawUsd String), entryPx String, positionValue String, unrealizedPnl String, returnOnEquity String, liquidationPx String, marginUsed String, maxLeverage Nullable(UInt32), cumFunding Tuple(allTime String, sinceOpen String, sinceChange String), maxTradeSzs Array(String)))') AS p FROM hl_items WHERE type = 'position') AS i
WHERE match(i.account, '^0x[0-9a-fA-F]{40}$') AND length(p.position.coin) BETWEEN 1 AND 64 AND match(p.position.szi, '^-?[0-9]{1,20}([.][0-9]{1,18})?$');

ALTER TABLE hl_market_items_unknown MODIFY QUERY
SELECT chain, block_number, source, heard_at, heard_at AS time, type, told.1 AS field, told.2 AS reason, substring(item, 1, 500) AS example, generation
FROM (SELECT *, JSONExtract(item, 'Tuple(coin String, time Int64, markPx String)') AS x FROM hl_market_items)
ARRAY JOIN arrayConcat(arrayMap(key -> (key, 'a field that no rule reads'), arrayFilter(key -> NOT has(if(type = 'book', ['coin', 'time', 'levels', 'spread'], ['funding', 'openInterest', 'prevDayPx', 'dayNtlVlm', 'premium', 'oraclePx', 'markPx', 'midPx', 'impactPxs', 'dayBaseVlm', 'circulatingSupply', 'coin', 'totalSupply']), key), if(type = 'mid', [], JSONExtractKeys(item)))),
  if(multiIf(type != 'book' AND length(name) > 64, 1, type = 'mid', NOT match(replaceAll(item, '"', ''), '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), type = 'book', NOT (length(x.coin) BETWEEN 1 AND 64) OR NOT (x.time BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000), NOT match(x.markPx, '^-?[0-9]{1,20}([.][0-9]{1,18})?$')), [('', 'cannot be what it claims')], [])) AS told;

ALTER TABLE hl_items_refused MODIFY QUERY
SELECT chain, block_number, source, heard_at, heard_at AS time, type, if(type = 'unknown', JSONExtractString(request, 'channel'), '') AS field,
  multiIf(type = 'garbage', 'not JSON', type = 'unknown', 'a kind of message that no rule reads', 'cannot be what it claims') AS reason, substring(item, 1, 500) AS example, generation
FROM (
  SELECT *, JSONExtract(item, 'Tuple(coin String, s String, side String, px String, sz String, time Int64, t Int64, fundingRate String, name String)') AS x, JSONExtract(item, 'side_info', 'Array(Tuple(user String))') AS sides,
    multiIf(type = 'node_trade', toUnixTimestamp64Milli(parseDateTime64BestEffortOrZero(JSONExtractString(item, 'time'), 3, 'UTC')), type = 'candle', x.t, x.time) AS ms, if(JSONHas(item, 'delta'), JSONExtractRaw(item, 'delta'), item) AS paid
  FROM hl_items
)
WHERE multiIf(type IN ('garbage', 'unknown'), 1,
  type IN ('funding_payment', 'ledger', 'account', 'position') AND NOT match(account, '^0x[0-9a-fA-F]{40}$'), 1,
  type = 'node_trade' AND NOT (length(x.coin) BETWEEN 1 AND 64 AND x.side IN ('A', 'B') AND match(concatWithSeparator(' ', x.px, x.sz), '^[0-9]{1,18}([.][0-9]{1,18})? [0-9]{1,18}([.][0-9]{1,18})?$') AND toFloat64OrZero(x.px) * toFloat64OrZero(x.sz) <= 1e12 AND match(sides[1].1, '^0x[0-9a-fA-F]{40}$') AND match(sides[2].1, '^0x[0-9a-fA-F]{40}$')), 1,
  type IN ('node_trade', 'candle', 'funding_rate', 'funding_payment', 'ledger') AND NOT (ms BETWEEN 1640995200000 AND toUnixTimestamp64Milli(heard_at) + 86400000), 1,
  type = 'candle' AND NOT (length(x.s) BETWEEN 1 AND 64), 1, type = 'coin' AND NOT (length(x.name) BETWEEN 1 AND 64), 1, type = 'predicted' AND length(JSONExtractString(item, 1)) > 64, 1,
  type = 'funding_rate' AND (NOT (length(x.coin) BETWEEN 1 AND 64) OR NOT match(x.fundingRate, '^-?[0-9]{1,20}([.][0-9]{1,18})?$')), 1,
  type = 'account' AND NOT match(JSONExtractString(item, 'marginSummary', 'accountValue'), '^-?[0-9]{1,20}([.][0-9]{1,18})?$'), 1,
  type = 'position' AND NOT (length(JSONExtractString(item, 'position', 'coin')) BETWEEN 1 AND 64 AND match(JSONExtractString(item, 'position', 'szi'), '^-?[0-9]{1,20}([.][0-9]{1,18})?$')), 1,
  type = 'funding_payment' AND NOT (length(JSONExtractString(paid, 'coin')) BETWEEN 1 AND 64 AND match(JSONExtractString(paid, 'usdc'), '^-?[0-9]{1,12}([.][0-9]{1,18})?$')), 1, 0);
