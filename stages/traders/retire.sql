-- Positions that a run before had found and that this one, which knows fills of before or between, did not find again. Grain: one such position.
-- Parameters: chain, run. Sort keys: hl_walks (chain, run), hl_trips (chain, account), hl_walked (chain, version).
INSERT INTO hl_trips (chain, account, coin, opened_at, tid, extra, part, version, deleted)
SELECT {chain:String}, t.account, t.coin, t.opened_at, t.tid, t.extra, t.part, {run:UInt64} * 2 + 1, 1
FROM (SELECT account, coin, opened_at, tid, extra, part FROM hl_trips FINAL WHERE chain = {chain:String} AND account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND coin != '')) AS t
INNER JOIN (SELECT account, coin, max(since) AS since FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64} AND coin != '' GROUP BY account, coin) AS w ON w.account = t.account AND w.coin = t.coin
WHERE t.opened_at >= w.since AND (t.account, t.coin, t.opened_at, t.tid, t.extra, t.part) NOT IN (SELECT account, coin, opened_at, tid, extra, part FROM hl_walked WHERE chain = {chain:String} AND version = {run:UInt64} * 2 + 1)
