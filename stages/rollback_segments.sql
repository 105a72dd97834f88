-- How many aggregate rows a rollback makes stale. Grain: one row. Parameters: table, chain, segment (first one cut), generation (of the rollback).
SELECT count() AS count FROM {table:Identifier}
WHERE chain = {chain:String} AND segment >= {segment:UInt64} AND version < bitShiftLeft(toUInt64({generation:UInt32}), 32)
