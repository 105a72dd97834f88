-- Live batches that have come as far as a stage and have not landed it, those that gave up there among them: those that have landed the stage before, less those that have landed this one, as a batch lands its stages in their order.
-- Grain: one stage. Parameters: stages, in their order. All of plans and batches is read.
-- A batch stands unless a rollback of a later generation reaches it (as stages/ledger/rollbacks.sql has it). Batches that stand never overlap, so one that is noted twice is known by its first block.
WITH
  (SELECT groupArray((toString(p.chain), p.generation, p.from_block)) FROM plans AS p WHERE p.kind = 'rollback') AS rollbacks,
  (SELECT toInt64(count()) FROM live_batches) AS planned,
  (
    SELECT mapFromArrays(groupArray(n.stage), groupArray(n.batches)) FROM (
      SELECT toString(b.stage) AS stage, toInt64(uniqExact(b.chain, b.from_block)) AS batches FROM batches AS b
      WHERE b.chain NOT IN (SELECT p.chain FROM plans AS p WHERE p.kind = 'rollback') OR NOT arrayExists(r -> r.1 = b.chain AND r.2 > b.generation AND r.3 <= b.to_block, rollbacks) GROUP BY b.stage
    ) AS n
  ) AS landed
SELECT {stages:Array(String)}[place] AS stage, toFloat64(greatest(if(place = 1, planned, landed[{stages:Array(String)}[place - 1]]) - landed[stage], 0)) AS batches
FROM (SELECT arrayJoin(arrayEnumerate({stages:Array(String)})) AS place)
