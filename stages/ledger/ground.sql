-- How far down blocks stand without a gap below a block: the lowest of the live batches side by side that have landed normalize and end right below it.
-- Grain: one row, none where the block below has not landed. Parameters: chain, below.
-- Reads plans by its sort key (chain, seq), batches by (chain, stage, …).
SELECT min(from_block) AS ground FROM (
  SELECT from_block, to_block, sum(starts) OVER (ORDER BY from_block) AS stretch FROM (
    SELECT from_block, to_block, from_block != lagInFrame(to_block, 1, 0) OVER (ORDER BY from_block ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) + 1 AS starts
    FROM live_batches WHERE chain = {chain:String} AND to_block < {below:UInt64} AND (from_block, to_block, hash, generation) IN (
      SELECT from_block, to_block, hash, generation FROM batches WHERE chain = {chain:String} AND stage = 'normalize' AND to_block < {below:UInt64})
  )
) GROUP BY stretch HAVING max(to_block) = {below:UInt64} - 1
