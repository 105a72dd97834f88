-- Trades as the streams said them, of the batches before this one: these stand in hl_trades, and have for so long that no question under way has yet to look there for them.
-- A table in memory is read insert by insert, so a question would take the longer the more segments have come since the start (4,000: four times as long).
-- Parameters: from. hl_heard_trades is in memory and has no key.
ALTER TABLE hl_heard_trades DELETE WHERE number < {from:UInt64}
