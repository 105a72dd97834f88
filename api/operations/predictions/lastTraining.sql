-- The newest run of the training of one chain. Grain: one row, or none. Parameters: chain. from_hour is null where no hour could be learnt from. Sort key: prediction_runs (chain, version).
SELECT toDateTime(r.version, 'UTC') AS model_version, r.trained_at AS trained_at, if(r.rows = 0, NULL, toNullable(r.from_hour)) AS from_hour, r.to_hour AS to_hour, toFloat64(r.rows) AS rows, toFloat64(r.tokens) AS tokens_tested, toFloat64(r.speaking) AS tokens_speaking
FROM prediction_runs AS r WHERE r.chain = {chain:String} ORDER BY r.version DESC LIMIT 1
