-- How far up aggregates may have to be computed again after a rollback: the newest block there is.
-- Grain: one row. Parameters: chain. Sort key of transfers: (chain, block_number, …).
SELECT max(block_number) AS top FROM transfers WHERE chain = {chain:String}
