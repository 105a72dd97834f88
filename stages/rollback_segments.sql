-- How many aggregate rows were computed before a deletion and cover what it deleted. Grain: one row.
-- Parameters: table, chain, segment (first one cut), epoch (of the deletion).
SELECT count() AS count FROM {table:Identifier}
WHERE chain = {chain:String} AND segment >= {segment:UInt64} AND version < bitShiftLeft(toUInt64({epoch:UInt32}), 32)
