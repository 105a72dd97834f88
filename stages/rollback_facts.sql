-- How many rows of a table a rollback makes stale. Grain: one row. Parameters: table, height (its column of the block number), chain,
-- from, generation (of the rollback). Uses the sort key (chain, block number) where the table has it.
SELECT count() AS count FROM {table:Identifier}
WHERE chain = {chain:String} AND {height:Identifier} >= {from:UInt64} AND generation < {generation:UInt32}
