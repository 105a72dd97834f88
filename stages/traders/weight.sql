-- How much a run has to read: fills of the accounts it walks, and how many accounts these are. Grain: one row. Parameters: chain, run.
-- Sort keys: hl_walks (chain, run), hl_account_fills (chain, account).
SELECT toFloat64(count()) AS fills, toFloat64((SELECT uniqExact(w.account) FROM hl_walks AS w WHERE w.chain = {chain:String} AND w.run = {run:UInt64})) AS accounts
FROM hl_account_fills AS f
WHERE f.chain = {chain:String} AND f.account IN (SELECT k.account FROM hl_walks AS k WHERE k.chain = {chain:String} AND k.run = {run:UInt64})
