-- Positions opened within the last hours shortly before a move in their favour, the newest first, 500 at most. Grain: one position. Parameters: hours.
-- Sort key: hl_insider_trades (chain, account), read whole: few rows.
SELECT concat('0x', lower(hex(i.account))) AS address, toString(i.coin) AS coin, toString(i.side) AS side, i.score AS score, i.opened_at AS opened_at, i.entry_px AS entry_price, round(i.value_usd, 6) AS value_usd, round(i.leverage, 6) AS leverage, round(i.moved, 9) AS moved, i.moved_hours AS moved_hours, round(i.pnl_usd, 6) AS pnl_usd, i.evidence AS evidence
FROM hl_insider_trades AS i FINAL
WHERE i.chain = 'HL' AND i.opened_at > now64(3, 'UTC') - toIntervalHour({hours:UInt32})
ORDER BY i.opened_at DESC, i.account, i.coin, i.part LIMIT 500
