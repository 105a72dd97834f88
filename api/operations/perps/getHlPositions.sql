-- The largest positions of the newest observation of each account. Grain: one position. Parameters: address ('' all accounts), top_n.
-- Sort keys: hl_newest_positions and hl_newest_accounts (chain, account, dex): one row each, read whole without an address. Prices are the venue's at that moment.
SELECT concat('0x', lower(hex(p.account))) AS address, toString(p.coin) AS coin, if(p.szi > 0, 'long', 'short') AS side, toString(p.szi) AS size, toFloat64(toString(p.entry_px)) AS entry_price, value_usd / abs(toFloat64(toString(p.szi))) AS mark_price, toFloat64(toString(p.position_value)) AS value_usd,
  toFloat64(toString(p.unrealized_pnl)) AS unrealised_pnl_usd, toFloat64(p.leverage) AS leverage, toString(p.leverage_kind) AS margin, toFloat64(toString(p.margin_used)) AS margin_used_usd, toFloat64(toString(p.liquidation_px)) AS liquidation_price, abs(mark_price - liquidation_price) / mark_price AS liquidation_distance, p.time AS observed_at
FROM hl_newest_positions AS p FINAL
INNER JOIN (SELECT account, dex, time FROM hl_newest_accounts FINAL WHERE chain = 'HL' AND ({address:String} = '' OR account = toFixedString(unhex(substring({address:String}, 3)), 20))) AS a ON a.account = p.account AND a.dex = p.dex AND a.time = p.time
WHERE p.chain = 'HL' AND p.szi != 0 AND p.position_value > 0 AND p.leverage_kind IN ('cross', 'isolated') AND ({address:String} = '' OR p.account = toFixedString(unhex(substring({address:String}, 3)), 20))
ORDER BY p.position_value DESC, p.account, p.coin LIMIT {top_n:UInt32}
