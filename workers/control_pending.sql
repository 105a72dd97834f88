-- Live batches of a stretch of a chain's plan that have come as far as each stage and have not landed it, those that gave up there among them; and which of them have not landed every stage.
-- Grain: one row. Parameters: chain, after and upto (the stretch: places in the plan after the one, up to the other), open (places besides that are looked at), most, stages, in their order.
-- waits: by stage, those that have landed the stage before, less those that have landed this one, as a batch lands its stages in their order. newest: the last place of the plan, 0 where it ends below after. places: the lowest of batches that are not through, most at most.
-- A batch is live unless a rollback behind it reaches it (as live_batches has it, which reads the rollbacks of the whole plan): cut, the lowest block that any from one on reaches, says at the first behind the batch what all have left of it.
-- Sort keys: plans (chain, seq, …), batches (chain, from_block, …), by the batches of the stretch, which are held.
WITH
  (SELECT max(last.seq) FROM (SELECT p.seq FROM plans AS p WHERE p.chain = {chain:String} AND p.seq >= {after:UInt64} ORDER BY p.chain DESC, p.seq DESC LIMIT 1) AS last) AS top,
  cuts AS (
    SELECT e.chain AS chain, e.seq AS seq, min(e.from_block) OVER (ORDER BY e.seq DESC) AS cut FROM plans AS e
    WHERE e.chain = {chain:String} AND e.seq > arrayMin(arrayPushBack({open:Array(UInt64)}, {after:UInt64})) AND e.kind = 'rollback'
  ),
  live AS MATERIALIZED (
    SELECT p.seq AS seq, p.from_block AS from_block, p.generation AS generation FROM plans AS p ASOF LEFT JOIN cuts AS c ON c.chain = p.chain AND c.seq > p.seq
    WHERE p.chain = {chain:String} AND ((p.seq > {after:UInt64} AND p.seq <= least({upto:UInt64}, top)) OR p.seq IN {open:Array(UInt64)}) AND p.kind = 'plan' AND (c.seq = 0 OR p.to_block < c.cut)
  ),
  -- A bit for each stage a batch has landed.
  come AS (
    SELECT l.seq AS seq, d.landed AS landed FROM live AS l LEFT JOIN (
      SELECT b.from_block AS from_block, b.generation AS generation, groupBitOr(bitShiftLeft(toUInt8(1), indexOf({stages:Array(String)}, b.stage))) AS landed FROM batches AS b
      WHERE b.chain = {chain:String} AND (b.from_block, b.generation) IN (SELECT i.from_block, i.generation FROM live AS i) GROUP BY b.from_block, b.generation
    ) AS d ON d.from_block = l.from_block AND d.generation = l.generation
  ),
  (
    SELECT (toInt64(count()), sumForEach(arrayMap(place -> toInt64(bitTest(one.landed, place)), arrayEnumerate({stages:Array(String)}))),
      groupUniqArrayIf(one.seq, arrayExists(place -> NOT bitTest(one.landed, place), arrayEnumerate({stages:Array(String)})))) FROM come AS one
  ) AS found
SELECT toFloat64(top) AS newest, arrayMap(seq -> toFloat64(seq), arraySlice(arraySort(found.3), 1, {most:UInt32})) AS places,
  arrayMap(place -> toFloat64(greatest(if(place = 1, found.1, found.2[place - 1]) - found.2[place], 0)), if(found.1 = 0, [], arrayEnumerate({stages:Array(String)}))) AS waits
SETTINGS enable_materialized_cte = 1
