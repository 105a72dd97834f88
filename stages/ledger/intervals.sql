-- Stretches of blocks that live batches cover, merged where they touch, and the newest seq of the plan.
-- Grain: one stretch. Parameters: chain. Reads plans by its sort key (chain, seq).
SELECT min(from_block) AS from_block, max(to_block) AS to_block FROM (
  SELECT from_block, to_block, sum(starts) OVER (ORDER BY from_block) AS stretch FROM (
    SELECT from_block, to_block, from_block != lagInFrame(to_block, 1, 0) OVER (ORDER BY from_block ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) + 1 AS starts
    FROM live_batches WHERE chain = {chain:String}
  )
) GROUP BY stretch ORDER BY from_block
