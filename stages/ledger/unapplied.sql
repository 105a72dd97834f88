-- Rollbacks that are not all carried out, and those first carried out in the last minutes, by the store's clock and not by that of who planned them, whose late writers are still swept.
-- Grain: one rollback. Parameters: chain, sweepSeconds. applied says that the run of its newest deletion is done and no later run died before its own.
SELECT p.seq AS seq, p.from_block AS from_block, p.generation AS generation, r.applied AS applied
FROM plans AS p LEFT JOIN (
  SELECT seq, argMax(done, epoch) AND maxIf(begun, epoch = 0) <= argMax(begun, epoch) AS applied, minIf(ended, done) AS carried FROM (
    SELECT seq, writer, max(epoch) AS epoch, min(at) AS begun, countIf(step = 'done') > 0 AS done, minIf(at, step = 'done') AS ended FROM rollbacks_applied
    WHERE chain = {chain:String} GROUP BY seq, writer
  ) GROUP BY seq
) AS r ON r.seq = p.seq
WHERE p.chain = {chain:String} AND p.kind = 'rollback' AND (NOT r.applied OR r.carried > now64(6) - toIntervalSecond({sweepSeconds:UInt32}))
ORDER BY p.seq
