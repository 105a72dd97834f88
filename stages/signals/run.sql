-- Says that a stretch of time is being looked at (done: that all of it was; told: that marks and results as of its end were written). One that was begun and cut off is done again as it was begun.
-- Grain: one run. Parameters: chain, from_time, to_time (Unix seconds), through, open_since (Unix seconds), done, told. Sort key: hl_signal_runs (chain, to_time, done).
INSERT INTO hl_signal_runs (chain, from_time, to_time, through, open_since, done, told, at)
SELECT {chain:String}, toDateTime({from_time:UInt32}, 'UTC'), toDateTime({to_time:UInt32}, 'UTC'), {through:UInt64}, toDateTime({open_since:UInt32}, 'UTC'), {done:Bool}, {told:Bool}, now64(3, 'UTC')
WHERE NOT EXISTS (SELECT 1 FROM hl_signal_runs AS r WHERE r.chain = {chain:String} AND r.to_time = toDateTime({to_time:UInt32}, 'UTC') AND r.done = {done:Bool} AND r.told = {told:Bool})
