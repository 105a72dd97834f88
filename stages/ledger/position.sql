-- Where the plan of a chain stands: the seq to write next, the generation new batches get (number of rollbacks so far; it never falls
-- as seq grows), and how many targets there are. Grain: one row. Parameters: chain. Reads the last row of plans by its sort key (chain, seq).
SELECT max(last.seq) AS seq, max(last.generation) AS generation, (SELECT count() FROM targets WHERE chain = {chain:String}) AS targets
FROM (SELECT p.seq, p.generation FROM plans AS p WHERE p.chain = {chain:String} ORDER BY p.chain DESC, p.seq DESC LIMIT 1) AS last
