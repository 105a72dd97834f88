-- Notes how far the feed of a chain is, above what was noted before, whatever clocks said then. Grain: one note. Parameters: chain, told_to (Unix milliseconds). Sort key: (chain).
INSERT INTO watch_progress (chain, told_to, at)
SELECT {chain:String}, fromUnixTimestamp64Milli({told_to:Int64}), greatest(now64(3, 'UTC'), max(p.at) + toIntervalMillisecond(1)) FROM watch_progress AS p WHERE p.chain = {chain:String}
