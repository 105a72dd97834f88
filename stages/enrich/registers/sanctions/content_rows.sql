-- How many listings of a content are there. Grain: one row. Parameters: register, content. Sort key: (register, content, …).
SELECT uniqExact(d.key, d.list_id, d.ticker, d.address) AS rows FROM designations AS d WHERE d.register = {register:String} AND d.content = {content:String}
