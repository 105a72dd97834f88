-- Positions opened within the last hours shortly before a move in their favour, the newest first. Grain: one position.
-- Parameters: from (Unix milliseconds), limit; the position the page before ended at: before (Unix milliseconds), address, coin, tid, extra, part.
-- Sort key: hl_insider_trades (chain, account), read whole: few rows.
SELECT concat('0x', lower(hex(i.account))) AS address, toString(i.coin) AS coin, toString(i.side) AS side, i.score AS score, i.opened_at AS opened_at, i.entry_px AS entry_price, round(i.value_usd, 6) AS value_usd, round(i.leverage, 6) AS leverage, round(i.moved, 9) AS moved, i.moved_hours AS moved_hours, round(i.pnl_usd, 6) AS pnl_usd, i.evidence AS evidence,
  (toFloat64(toUnixTimestamp64Milli(i.opened_at)), concat('0x', lower(hex(i.account))), toString(i.coin), toString(i.tid), toString(i.extra), toFloat64(i.part)) AS at
FROM hl_insider_trades AS i FINAL
WHERE i.chain = 'HL' AND i.opened_at > fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND i.opened_at <= fromUnixTimestamp64Milli({before:Int64}, 'UTC')
  AND (i.opened_at < fromUnixTimestamp64Milli({before:Int64}, 'UTC') OR (concat('0x', lower(hex(i.account))), toString(i.coin), i.tid, i.extra, i.part) > ({address:String}, {coin:String}, {tid:UInt64}, {extra:UInt64}, {part:UInt8}))
ORDER BY i.opened_at DESC, i.account, i.coin, i.tid, i.extra, i.part LIMIT {limit:UInt32}
