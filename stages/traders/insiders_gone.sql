-- Suspected positions of the accounts judged that this run did not find again, though it looked at them. Those that ended before the window were looked at while they were in it, and stay.
-- Grain: one position. Parameters: chain, run, until (Unix milliseconds). Sort keys: hl_insider_trades (chain, account), hl_walks (chain, run), hl_trips (chain, account).
INSERT INTO hl_insider_trades (chain, account, coin, opened_at, tid, extra, part, version, deleted)
WITH fromUnixTimestamp64Milli({until:Int64}, 'UTC') - toIntervalDay(assumeNotNull((SELECT toUInt16(argMax(numbers, version)['days']) FROM hl_trader_rules WHERE rule = 'window'))) AS since
SELECT chain, account, coin, opened_at, tid, extra, part, {run:UInt64} * 2 + 1, 1 FROM hl_insider_trades FINAL
WHERE chain = {chain:String} AND account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64}) AND version < {run:UInt64} * 2
  AND (account, toString(coin), opened_at, tid, extra, part) NOT IN (
    SELECT account, toString(coin), opened_at, tid, extra, part FROM hl_trips FINAL WHERE chain = {chain:String} AND account IN (SELECT account FROM hl_insider_trades WHERE chain = {chain:String}) AND last_at <= since
  )
