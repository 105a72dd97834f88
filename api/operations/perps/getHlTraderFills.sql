-- The newest fills of one account. Grain: one fill. Sort key: hl_account_fills (chain, account, coin, time).
-- Parameters: address (0x and 40 hex digits), limit; the position the page before ended at: before (Unix milliseconds), coin, tid, extra (of a sale with an id one more: a trade with oneself has both sides).
-- fee_usd: a spot fill's fee in the token that was bought is worth its price; one in another token than USDC is null. The token stands in hl_fills (chain, time, …), which is read at the times of fills alone that
-- may have another: of spot, and of perps that others list, whose collateral they choose.
-- How far back the page reaches is asked of the times alone: of the other columns only what was written since is then opened.
WITH reach AS (
  SELECT c.time AS time FROM hl_account_fills AS c
  WHERE c.chain = 'HL' AND c.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND c.time <= fromUnixTimestamp64Milli({before:Int64}, 'UTC')
    AND (c.time < fromUnixTimestamp64Milli({before:Int64}, 'UTC') OR (toString(c.coin), c.tid, c.extra + (c.tid != 0 AND c.side = 'sell')) > ({coin:String}, {tid:UInt64}, {extra:UInt64}))
  ORDER BY c.time DESC LIMIT {limit:UInt32}
), (
  SELECT groupArray((p.time, toString(p.coin), p.tid, p.extra, toString(p.side), toString(p.fee_token))) FROM hl_fills AS p
  WHERE p.chain = 'HL' AND p.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND p.market != 'perp' AND p.time IN (
    SELECT a.time FROM hl_account_fills AS a WHERE a.chain = 'HL' AND a.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND a.market != 'perp' AND a.time >= (SELECT min(time) FROM reach) AND a.time <= fromUnixTimestamp64Milli({before:Int64}, 'UTC')
  )
) AS tokens
SELECT toString(f.coin) AS coin, toString(f.dir) AS direction, toString(f.side) AS side, toFloat64(toString(f.px)) AS price, toString(f.sz) AS size, round(price * toFloat64(toString(f.sz)), 6) AS value_usd, toFloat64(toString(f.closed_pnl)) AS closed_pnl_usd, toFloat64(toString(f.fee)) AS fee,
  if(f.market != 'perp', arrayFirst(t -> (t.1, t.2, t.3, t.4, t.5) = (f.time, toString(f.coin), f.tid, f.extra, toString(f.side)), tokens).6, 'USDC') AS fee_token, multiIf(fee_token = 'USDC', toNullable(fee), fee_token != '' AND f.market = 'spot' AND f.side = 'buy', round(fee * price, 6), NULL) AS fee_usd,
  f.crossed AS taker, f.forced AS liquidation, toString(f.tid) AS trade_id, f.time AS timestamp,
  (toFloat64(toUnixTimestamp64Milli(f.time)), toString(f.coin), toString(f.tid), toString(f.extra + (f.tid != 0 AND f.side = 'sell') AS apart)) AS at
FROM hl_account_fills AS f
WHERE f.chain = 'HL' AND f.account = toFixedString(unhex(substring({address:String}, 3)), 20) AND f.time >= (SELECT min(time) FROM reach) AND f.time <= fromUnixTimestamp64Milli({before:Int64}, 'UTC')
  AND (f.time < fromUnixTimestamp64Milli({before:Int64}, 'UTC') OR (toString(f.coin), f.tid, apart) > ({coin:String}, {tid:UInt64}, {extra:UInt64}))
ORDER BY f.time DESC, f.coin, f.tid, apart LIMIT {limit:UInt32}
