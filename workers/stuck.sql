-- Stretches of a chain that wait above a batch that gave up at enrich or before it, until that is redriven: from its first block, up to the next batch that has landed enrich, or begins
-- a stretch of its own (its floor), or up to what no node has (as control_backfills.sql has it). until: the first block behind it; 0: there is none above.
-- Grain: one stretch. Parameters: chain, letters (first blocks of the live batches that gave up so), ordered (the stage that goes up block by block). Letters are few; of the chain all live batches
-- above the lowest are read, and those that landed enrich: ask only where there are letters, and seldom.
WITH opening AS (
  SELECT l.from_block AS at FROM live_batches AS l
  WHERE l.chain = {chain:String} AND l.from_block > arrayMin({letters:Array(UInt64)}) AND (l.from_block <= l.floor OR (l.from_block, l.generation) IN (SELECT b.from_block, b.generation FROM batches AS b WHERE b.chain = {chain:String} AND b.from_block > arrayMin({letters:Array(UInt64)}) AND b.stage = {ordered:String}))
  UNION ALL
  SELECT d.from_block AS at FROM dead_letters AS d FINAL WHERE d.chain = {chain:String} AND d.state = 'dead' AND d.hash = ''
)
SELECT min(s.from_block) AS from, o.at AS until
FROM (SELECT arrayJoin({letters:Array(UInt64)}) AS from_block, 1 AS one) AS s
ASOF LEFT JOIN (SELECT at, 1 AS one FROM opening) AS o ON o.one = s.one AND o.at > s.from_block
GROUP BY o.at
ORDER BY from
