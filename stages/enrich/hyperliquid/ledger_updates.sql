-- Changes of accounts not heard before, once each. Grain: one change.
-- Parameters: chain, from, to, generation. Reads hl_read_ledger_updates by (chain, block_number), hl_ledger_updates by its sort key for the accounts and
-- times of the batch, not all between.
INSERT INTO hl_ledger_updates (chain, block_number, source, heard_at, time, account, hash, extra, kind, usdc, delta, generation)
SELECT chain, block_number, source, heard_at, time, account, hash, extra, kind, usdc, delta, {generation:UInt32} AS generation FROM hl_read_ledger_updates AS heard
WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND heard.generation = {generation:UInt32}
  AND (time, account, hash, extra) NOT IN (SELECT time, account, hash, extra FROM hl_ledger_updates AS stored WHERE stored.chain = {chain:String} AND (stored.account, stored.time) IN (SELECT account, time FROM hl_read_ledger_updates WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}) AND stored.block_number < {from:UInt64})
ORDER BY block_number, heard_at, source LIMIT 1 BY time, account, hash, extra
