-- Heights of batches of a chain that are planned, live and have not passed a stage, whatever of them is in the store already, from that of `low` on; batches that touch are one stretch.
-- Grain: one stretch. Parameters: chain, stage, low (height). Batches that are live never overlap, so one is known by its first block and generation; none is longer than 512 blocks.
-- Sort keys: plans (chain, …), which is read by narrow columns; batches (chain, from_block, …), from 512 blocks below `low` on.
SELECT toFloat64(min(s.from_block)) AS from, toFloat64(max(s.to_block)) AS to
FROM (
  SELECT o.from_block AS from_block, o.to_block AS to_block, sum(o.apart) OVER (ORDER BY o.from_block ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS stretch
  FROM (
    SELECT l.from_block AS from_block, l.to_block AS to_block, l.from_block > lagInFrame(l.to_block + 1) OVER (ORDER BY l.from_block ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS apart
    FROM live_batches AS l
    WHERE l.chain = {chain:String} AND l.to_block >= {low:UInt64} AND l.from_block + 512 > {low:UInt64}
      AND (l.from_block, l.generation) NOT IN (SELECT from_block, generation FROM batches WHERE chain = {chain:String} AND stage = {stage:String} AND from_block + 512 > {low:UInt64})
  ) AS o
) AS s
GROUP BY s.stretch ORDER BY from
