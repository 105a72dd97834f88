-- Where the plan of a chain stands: the seq to write next, and the generation new batches get (number of rollbacks so far).
-- Grain: one row. Parameters: chain.
SELECT max(seq) AS seq, countIf(kind = 'rollback') AS generation FROM plans WHERE chain = {chain:String}
