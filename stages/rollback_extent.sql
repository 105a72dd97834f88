-- How far up aggregates may have to be computed again after a rollback: the newest block there is, and the generation batches have now.
-- Grain: one row. Parameters: chain.
SELECT (SELECT max(block_number) FROM transfers WHERE chain = {chain:String}) AS top,
  (SELECT countIf(kind = 'rollback') FROM plans WHERE chain = {chain:String}) AS generation
