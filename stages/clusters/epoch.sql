-- A number that changes whenever rows of blocks are taken away. Grain: one row. Parameters: chain.
SELECT (SELECT max(epoch) FROM rollbacks_applied WHERE chain = {chain:String}) * 4294967296 + (SELECT count() FROM plans WHERE chain = {chain:String} AND kind = 'rollback') AS epoch
