-- One logistic regression per token and part of the walk forward: parts 1 to 4 see the hours before theirs (2, 3, 4, 5 sixths of all), part 5 sees all. Ten passes
-- over the hours in order; one thread, so that the same rows train the same model. To the server this aggregate is one of any order, below which it would drop the sorting: what it has learnt depends on it.
-- Grain: one model. Parameters: chain, version. Sort key: prediction_features (chain, token, hour) of the partition of the version.
INSERT INTO prediction_models (chain, version, token, fold, rows, model)
SELECT {chain:String}, {version:UInt64}, token, fold, toUInt32(count() / 10), stochasticLogisticRegressionState(0.05, 0.01, 16, 'Adam')(if(assumeNotNull(up), 1., -1.), x1, x2, x3, x4, x5, x6)
FROM (
  SELECT token, hour, up, x1, x2, x3, x4, x5, x6, fold, pass
  FROM prediction_features ARRAY JOIN [1, 2, 3, 4, 5] AS fold ARRAY JOIN range(10) AS pass
  WHERE version = {version:UInt64} AND chain = {chain:String} AND up IS NOT NULL AND total >= 300 AND (fold = 5 OR place <= intDiv(total * (fold + 1), 6))
  ORDER BY token, fold, pass, hour
)
GROUP BY token, fold
SETTINGS query_plan_remove_redundant_sorting = 0
