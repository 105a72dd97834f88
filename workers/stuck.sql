-- Stretches of a chain that wait above a batch that gave up at enrich or before it, until that is redriven: from its first block, up to the next batch that has landed enrich, or begins
-- a stretch of its own (its floor), or up to what no node has (as control_backfills.sql has it). until: the first block behind it; 0: there is none above.
-- Grain: one stretch. Parameters: chain, ordered (the stage that goes up block by block, and those before it). Letters are few; of the chain all live batches are read, and those that landed enrich.
WITH opening AS (
  SELECT l.from_block AS at FROM live_batches AS l
  WHERE l.chain = {chain:String} AND (l.from_block <= l.floor OR (l.from_block, l.generation) IN (SELECT b.from_block, b.generation FROM batches AS b WHERE b.chain = {chain:String} AND b.stage = {ordered:Array(String)}[-1]))
  UNION ALL
  SELECT d.from_block AS at FROM dead_letters AS d FINAL WHERE d.chain = {chain:String} AND d.state = 'dead' AND d.hash = ''
)
SELECT min(s.from_block) AS from, o.at AS until
FROM (SELECT DISTINCT k.from_block AS from_block, 1 AS one FROM standing_letters AS k WHERE k.chain = {chain:String} AND k.hash != '' AND k.stage IN {ordered:Array(String)}) AS s
ASOF LEFT JOIN (SELECT at, 1 AS one FROM opening) AS o ON o.one = s.one AND o.at > s.from_block
GROUP BY o.at
ORDER BY from
