-- Batches of chains with blocks that gave up at one of some stages, are live and have not landed after all; and what no node has of what somebody wants (letters without a hash). A batch counts once.
-- Grain: one chain that has some. Parameters: venues, which have no blocks; stages: those before alert, or that alone, without which answers miss nothing but alerts.
-- Asked where there are letters: live_batches reads the plans. Sort keys: batches and plans (chain, …); dead_letters is small.
SELECT g.chain AS chain, toFloat64(sum(g.to_block - g.from_block + 1)) AS blocks, toFloat64(min(g.from_block)) AS from, toFloat64(max(g.to_block)) AS to, arraySort(arrayDistinct(arrayFlatten(groupArray(g.stages)))) AS stages
FROM (
  SELECT toString(d.chain) AS chain, d.from_block AS from_block, d.to_block AS to_block, groupUniqArray(toString(d.stage)) AS stages
  FROM (SELECT chain, stage, from_block, to_block, hash, generation FROM dead_letters FINAL WHERE chain NOT IN {venues:Array(String)} AND state = 'dead' AND stage IN {stages:Array(String)}) AS d
  WHERE if(d.hash = '', arrayExists(one -> one.1 = d.chain AND one.2 <= d.to_block AND one.3 >= d.from_block, (SELECT groupArray((toString(w.chain), w.from_block, w.to_block)) FROM wanted AS w)),
      (d.chain, d.from_block, d.to_block, d.hash, d.generation) IN (SELECT l.chain, l.from_block, l.to_block, l.hash, l.generation FROM live_batches AS l WHERE l.from_block IN (SELECT from_block FROM dead_letters WHERE chain NOT IN {venues:Array(String)})))
    AND (d.chain, d.stage, d.from_block, d.to_block, d.hash, d.generation) NOT IN (SELECT b.chain, b.stage, b.from_block, b.to_block, b.hash, b.generation FROM batches AS b WHERE b.chain NOT IN {venues:Array(String)} AND b.from_block IN (SELECT from_block FROM dead_letters WHERE chain NOT IN {venues:Array(String)}))
  GROUP BY d.chain, d.from_block, d.to_block
) AS g
GROUP BY g.chain
