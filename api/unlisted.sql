-- Whether any list names any token of a chain: what a node told of them is text of a stranger. Grain: one row. Parameters: chain.
-- Sort key of tokens: (chain, address), up to the first row: an older version of one that a node told of since counts, for then there was a list.
SELECT count() > 0 AS listed FROM (SELECT 1 FROM tokens AS t WHERE t.chain = {chain:String} AND t.source != 'node' LIMIT 1)
