-- The newest run of the training of one chain. Grain: one row, or none. Parameters: chain. Sort key: prediction_runs (chain, version).
SELECT toDateTime(version, 'UTC') AS model_version, trained_at, from_hour, to_hour, toFloat64(rows) AS rows, toFloat64(tokens) AS tokens_tested, toFloat64(speaking) AS tokens_speaking
FROM prediction_runs WHERE chain = {chain:String} ORDER BY version DESC LIMIT 1
