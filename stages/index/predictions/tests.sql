-- The walk forward: each part's model names the direction of the hours after those it saw, and is compared with what came. A model speaks where it hit in
-- 100 hours or more, three standard deviations above what always naming the more frequent direction of these very hours would have hit.
-- Grain: one token. Parameters: chain, version. Sort keys: prediction_features and prediction_models, of the version.
INSERT INTO prediction_tests (chain, version, token, tested, hits, hit_rate, base_rate, speaks)
SELECT {chain:String}, {version:UInt64}, token, count() AS tested, countIf(said = came) AS hits, hits / tested AS hit_rate, greatest(countIf(came), countIf(NOT came)) / tested AS base_rate,
  tested >= 100 AND hit_rate - base_rate > 3 * sqrt(0.25 / tested) AS speaks
FROM (
  SELECT f.token AS token, assumeNotNull(f.up) AS came, evalMLMethod(m.model, f.x1, f.x2, f.x3, f.x4, f.x5, f.x6) > 0.5 AS said
  FROM (
    SELECT *, toUInt8(greatest(1, least(4, intDiv((place - 1) * 6, total) - 1))) AS fold FROM prediction_features
    WHERE version = {version:UInt64} AND chain = {chain:String} AND up IS NOT NULL AND total >= 300 AND place > intDiv(total * 2, 6)
  ) AS f
  INNER JOIN (SELECT token, fold, model FROM prediction_models WHERE chain = {chain:String} AND version = {version:UInt64} AND fold < 5) AS m ON m.token = f.token AND m.fold = f.fold
)
GROUP BY token
