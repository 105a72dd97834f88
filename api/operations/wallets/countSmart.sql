-- How many addresses have a class that counts as smart money. Grain: one row. Parameters: chain. label_of is in memory.
SELECT count() AS count FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.category IN ('fund', 'whale', 'smart')
