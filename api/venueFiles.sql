-- Of when the newest fill is that a venue's node told: its files alone tell those of all accounts. Grain: one row, none where they told of nothing in the last day. Parameters: chain.
-- What a generator made is all there is of its market. Sort key: hl_fills (chain, time, …), read backwards.
SELECT toUnixTimestamp64Milli(f.time) AS at FROM hl_fills AS f
WHERE f.chain = {chain:String} AND f.time > now64(3, 'UTC') - INTERVAL 1 DAY AND f.source IN ('node_fills', 'synthetic') ORDER BY f.chain DESC, f.time DESC LIMIT 1
