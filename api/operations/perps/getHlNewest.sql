-- Trades of the venue that are newer than all that stands in hl_trades and hl_liquidations, newest first: a first page of getHlRecent at less than half its cost, where every row of it is `newest`;
-- where not, it is paid besides. The same rows, values and order as there: what stands is older than the last of them, so no trade belongs in between and nobody is known to have been closed by one.
-- Grain: one trade, of copies the one that was heard first, as in enrich. Parameters: from, before, recent (Unix milliseconds; nothing before `recent` counts as newest), min_usd, limit, entered.
-- hl_heard_trades is in memory; of the others the time of what is newer than `recent` is read, by the bounds of their parts and the sort key. Without that bound one deleted row would have all of a table read.
WITH fromUnixTimestamp64Milli({recent:Int64}, 'UTC') AS bound
SELECT coin, side, toFloat64(toString(px)) AS price, toString(sz) AS size, round(toFloat64(px) * toFloat64(sz), 6) AS value_usd, time AS timestamp, hex(hash) AS hash, toString(tid) AS trade_id, hex(buyer) AS buyer, hex(seller) AS seller,
  CAST(time > greatest(bound, (SELECT max(time) FROM hl_trades WHERE time > bound), (SELECT max(time) FROM hl_liquidations WHERE time > bound)), 'Bool') AS newest
FROM hl_heard_trades
WHERE number > {entered:UInt64} AND time > fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND time <= fromUnixTimestamp64Milli({before:Int64}, 'UTC') AND toFloat64(px) * toFloat64(sz) >= {min_usd:Float64}
ORDER BY time DESC, coin, tid, number, fetched_at LIMIT 1 BY time, coin, tid LIMIT {limit:UInt32}
