-- How far the feed of a chain is: all that landed before told_to (Unix milliseconds) is told. Grain: one row, none before the first. Parameters: chain. Sort key: (chain).
SELECT toUnixTimestamp64Milli(argMax(p.told_to, p.at)) AS told_to FROM watch_progress AS p WHERE p.chain = {chain:String} GROUP BY p.chain
