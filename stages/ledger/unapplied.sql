-- Rollbacks whose deletes are not all done, and those of the last minutes, whose late writers are still swept.
-- Grain: one rollback. Parameters: chain, sweepSeconds. applied says whether its deletes were once completed.
SELECT p.seq AS seq, p.from_block AS from_block, p.generation AS generation, a.seq != 0 AS applied
FROM plans AS p LEFT JOIN (SELECT chain, seq FROM rollbacks_applied WHERE chain = {chain:String}) AS a ON a.chain = p.chain AND a.seq = p.seq
WHERE p.chain = {chain:String} AND p.kind = 'rollback' AND (a.seq = 0 OR p.at > now64(3) - toIntervalSecond({sweepSeconds:UInt32}))
ORDER BY p.seq
