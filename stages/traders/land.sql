-- Says that all that a run computed is there. Grain: one run. Parameters: chain, run, upto, until (Unix milliseconds), accounts. Reads nothing.
INSERT INTO hl_trader_runs (chain, run, upto, judged_at, accounts, computed_at)
SELECT {chain:String}, {run:UInt64}, {upto:UInt64}, fromUnixTimestamp64Milli({until:Int64}, 'UTC'), {accounts:UInt64}, now64(3)
