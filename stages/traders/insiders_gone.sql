-- Suspected positions of the accounts judged that this run did not find again. Grain: one position. Parameters: chain, run. Sort keys: hl_insider_trades (chain, account), hl_walks (chain, run).
INSERT INTO hl_insider_trades (chain, account, coin, opened_at, tid, extra, part, version, deleted)
SELECT chain, account, coin, opened_at, tid, extra, part, {run:UInt64} * 2 + 1, 1 FROM hl_insider_trades FINAL
WHERE chain = {chain:String} AND account IN (SELECT account FROM hl_walks WHERE chain = {chain:String} AND run = {run:UInt64}) AND version < {run:UInt64} * 2
