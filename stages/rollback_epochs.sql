-- The newest epoch of a chain, and the newest of one rollback (0 before its first deletion). Grain: one row. Parameters: chain, seq.
SELECT max(epoch) AS newest, maxIf(epoch, seq = {seq:UInt64}) AS own FROM rollbacks_applied WHERE chain = {chain:String}
