-- The newest fills of one account. Grain: one fill. Sort key: hl_account_fills (chain, account, coin, time).
-- Parameters: address (0x and 40 hex digits), limit; the position the page before ended at: before (Unix milliseconds), coin, tid, extra.
-- How far back the page reaches is asked of the times alone: of the other columns only what was written since is then opened.
WITH reach AS (
  SELECT c.time AS time FROM hl_account_fills AS c
  WHERE c.chain = 'HL' AND c.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND c.time <= fromUnixTimestamp64Milli({before:Int64}, 'UTC')
    AND (c.time < fromUnixTimestamp64Milli({before:Int64}, 'UTC') OR (toString(c.coin), c.tid, c.extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64}))
  ORDER BY c.time DESC LIMIT {limit:UInt32}
)
SELECT toString(f.coin) AS coin, toString(f.dir) AS direction, toString(f.side) AS side, toFloat64(toString(f.px)) AS price, toString(f.sz) AS size, round(price * toFloat64(toString(f.sz)), 6) AS value_usd, toFloat64(toString(f.closed_pnl)) AS closed_pnl_usd, toFloat64(toString(f.fee)) AS fee_usd,
  f.crossed AS taker, f.forced AS liquidation, toString(f.tid) AS trade_id, f.time AS timestamp,
  (toFloat64(toUnixTimestamp64Milli(f.time)), toString(f.coin), toString(f.tid), toString(f.extra)) AS at
FROM hl_account_fills AS f
WHERE f.chain = 'HL' AND f.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND f.time >= (SELECT min(time) FROM reach) AND f.time <= fromUnixTimestamp64Milli({before:Int64}, 'UTC')
  AND (f.time < fromUnixTimestamp64Milli({before:Int64}, 'UTC') OR (toString(f.coin), f.tid, f.extra) > ({coin:String}, {tid:UInt64}, {extra:UInt64}))
ORDER BY f.time DESC, f.coin, f.tid, f.extra LIMIT {limit:UInt32}
