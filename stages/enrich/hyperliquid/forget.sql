-- Trades as the streams said them, once they stand in hl_trades: nobody asks for these any more, and a table in memory is read insert by insert, so a question would
-- take the longer the more segments have come since the start (4,000: four times as long). Parameters: to. hl_heard_trades is in memory and has no key.
ALTER TABLE hl_heard_trades DELETE WHERE number <= {to:UInt64}
