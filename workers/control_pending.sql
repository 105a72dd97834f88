-- Live batches that have come as far as a stage and have not landed it, those that gave up there among them: those that have landed the stage before, less those that have landed this one, as a batch lands its stages in their order.
-- Grain: one stage. Parameters: stages, in their order. All of plans and batches is read, the latter of chains without a rollback in the order of its sort key (chain, from_block, …), so that no set of all their batches is held.
-- A batch stands unless a rollback of a later generation reaches it (as stages/ledger/rollbacks.sql has it): cut, the lowest block that any from one on reaches, says at the first behind the batch what all have left of it.
-- Batches that stand never overlap, so one that is noted twice is known by its first block.
WITH
  cuts AS (SELECT p.chain AS chain, p.generation AS generation, min(p.from_block) OVER (PARTITION BY p.chain ORDER BY p.generation DESC) AS cut FROM plans AS p WHERE p.kind = 'rollback'),
  -- A bit for each stage a batch has landed.
  come AS (
    SELECT groupBitOr(bitShiftLeft(toUInt8(1), indexOf({stages:Array(String)}, b.stage))) AS landed FROM batches AS b
    WHERE b.chain NOT IN (SELECT p.chain FROM plans AS p WHERE p.kind = 'rollback') GROUP BY b.chain, b.from_block
    UNION ALL
    SELECT groupBitOr(bitShiftLeft(toUInt8(1), indexOf({stages:Array(String)}, b.stage))) AS landed FROM batches AS b ASOF LEFT JOIN cuts AS c ON c.chain = b.chain AND c.generation > b.generation
    WHERE b.chain IN (SELECT p.chain FROM plans AS p WHERE p.kind = 'rollback') AND (c.generation = 0 OR b.to_block < c.cut) GROUP BY b.chain, b.from_block
  ),
  (SELECT toInt64(count()) FROM live_batches) AS planned,
  (SELECT sumForEach(arrayMap(place -> toInt64(bitTest(one.landed, place)), arrayEnumerate({stages:Array(String)}))) FROM come AS one) AS through
SELECT {stages:Array(String)}[place] AS stage, toFloat64(greatest(if(place = 1, planned, through[place - 1]) - through[place], 0)) AS batches
FROM (SELECT arrayJoin(arrayEnumerate({stages:Array(String)})) AS place)
SETTINGS optimize_aggregation_in_order = 1
