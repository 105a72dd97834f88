-- How many addresses of a chain somebody may be watching; with none, nothing is looked for. Grain: one row. Parameters: chain. It may count too much (rows not merged yet),
-- never too little. watched_addresses is small and read whole.
SELECT count() AS watched FROM watched_addresses AS w WHERE w.chain = {chain:String} AND NOT w.removed
